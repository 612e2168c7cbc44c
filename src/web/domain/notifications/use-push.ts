import { msg } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { listPush, subscribePush, type PushAbout, type PushSubscriptionInfo } from '#contract/push.ts';
import { attempt, type Attempt } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { say } from '#web/platform/form/words.ts';
import { workerContainer } from '#web/platform/session/storage/worker-registration.ts';
import { NoSubscription, subscribeBrowser } from './browser-subscription.ts';
import { useAction, type Action } from '#web/platform/form/use-action.ts';
import { errorMessage } from '#web/platform/form/use-api-mutation.ts';

/**
 * What this browser can do about messages: nothing, so nothing is offered; nothing until the app is on the Home Screen
 * (Safari on a phone, since iOS 16.4); nothing because the customer has said no to it; or all that is needed.
 */
type PushSupport = 'missing' | 'install' | 'denied' | 'ready';

export interface PushSituation {
  readonly isTv: boolean;
  /** the browser has workers, notifications and push */
  readonly hasPush: boolean;
  readonly isAppleMobile: boolean;
  readonly isInstalled: boolean;
  readonly permission: NotificationPermission | undefined;
}

/** A TV is watched by several, and nobody looks at it when a message comes. */
export function pushSupport({ isTv, hasPush, isAppleMobile, isInstalled, permission }: PushSituation): PushSupport {
  if (isTv) return 'missing';
  if (!hasPush) return isAppleMobile && !isInstalled ? 'install' : 'missing';
  return permission === 'denied' ? 'denied' : 'ready';
}

/** An iPad says that it is a Mac, and has fingers on its screen. */
const isAppleMobile = ({ userAgent, maxTouchPoints }: Navigator) =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);

/** How it is here and now; the customer may change it in another window at any time. */
function pushSituation(): PushSituation {
  const hasPush = workerContainer() !== undefined && 'PushManager' in window && 'Notification' in window;
  return {
    isTv: document.documentElement.dataset['screen'] === 'TV',
    hasPush,
    isAppleMobile: isAppleMobile(navigator),
    isInstalled: matchMedia('(display-mode: standalone)').matches,
    permission: hasPush ? Notification.permission : undefined,
  };
}

/** Who is told what; the page does without it where it cannot be had. */
export const pushQuery = q(listPush, { body: {} }, { quiet: true });

function onReturn(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** How it stands with messages in this browser, also after the customer is back from its settings. */
function usePushSupport(): PushSupport {
  return useSyncExternalStore(
    onReturn,
    () => pushSupport(pushSituation()),
    () => 'missing',
  );
}

/** What is told in this browser, under this session. */
export const hereOf = (subscriptions: readonly PushSubscriptionInfo[] | undefined) =>
  subscriptions?.find(({ here }) => here);

export function isSubscribed(here: PushSubscriptionInfo | undefined, about: PushAbout): boolean {
  if (!here || Notification.permission !== 'granted') return false;
  return about.type === 'payment' ? here.orders.includes(about.orderId) : here.expiry;
}

/** Subscribes this browser. It requests the permission first, so it is called by a tap; false where it is not given. */
export async function subscribeHere(key: string, about: PushAbout): Promise<Attempt<boolean>> {
  if ((await Notification.requestPermission()) !== 'granted') return { result: false };
  const browser = await subscribeBrowser(key);
  const { error } = await attempt(subscribePush, { body: { ...browser, key, about } }, { quiet: true });
  return error ? { error } : { result: true };
}

export interface PushOptIn extends Pick<Action<[], unknown>, 'mutate' | 'isPending' | 'problem'> {
  readonly support: PushSupport;
  readonly told: boolean;
  /** the shop has said what is told, so there is something to offer */
  readonly known: boolean;
}

/** One thing that can be told, and the tap that asks for it. */
export function usePushOptIn(about: PushAbout, onTold?: () => void): PushOptIn {
  const client = useQueryClient();
  const support = usePushSupport();
  const { data } = useQuery({ ...pushQuery, enabled: support === 'ready' });
  const { mutate, isPending, problem } = useAction(async () => {
    if (!data) return {};
    try {
      const { result, error } = await subscribeHere(data.key, about);
      if (result) onTold?.();
      return { refusal: error && { summary: errorMessage(error) } };
    } catch (error) {
      if (!(error instanceof NoSubscription)) throw error;
      return { refusal: { summary: noSubscription } };
    } finally {
      await refreshQueries(client, { queryKey: pushQuery.queryKey });
    }
  });
  const told = support === 'ready' && isSubscribed(hereOf(data?.subscriptions), about);
  return { mutate, isPending, problem, support, told, known: data !== undefined };
}

const noSubscription = say(
  msg`This browser cannot receive messages at the moment. Please try again later, or in another browser.`,
);
