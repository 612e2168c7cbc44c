import { msg } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import {
  listPush,
  subscribePush,
  type PushAbout,
  type PushSubscriptionInfo,
  type BrowserSubscription,
} from '#contract/push.ts';
import { attempt, type Attempt } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { workerContainer, workerRegistration } from '#web/platform/session/storage/worker-registration.ts';
import { errorMessage, useAction, type Action } from '#web/platform/form/use-api-mutation.ts';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';

/**
 * Push support of this browser. `missing`: nothing is offered; `install`: only after adding the app to the Home Screen
 * (Safari on iOS since 16.4); `denied`: the customer refused the permission.
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

/** Not on a TV: several people watch it, and the customer may not be there when a message arrives. */
export function pushSupport({ isTv, hasPush, isAppleMobile, isInstalled, permission }: PushSituation): PushSupport {
  if (isTv) return 'missing';
  if (!hasPush) return isAppleMobile && !isInstalled ? 'install' : 'missing';
  return permission === 'denied' ? 'denied' : 'ready';
}

/** An iPad claims to be a Mac, but has a touch screen. */
const isAppleMobile = ({ userAgent, maxTouchPoints }: Navigator) =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);

/** The current state; the customer may change it in another window at any time. */
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

/** The push subscriptions; the page works without them. */
export const pushQuery = q(listPush, { body: {} }, { quiet: true });

function onReturn(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** The current push support, updated when the customer returns from the browser's settings. */
function usePushSupport(): PushSupport {
  return useSyncExternalStore(
    onReturn,
    () => pushSupport(pushSituation()),
    () => 'missing',
  );
}

/** The subscription of this browser under this session. */
export const findBrowserSubscription = (subscriptions: readonly PushSubscriptionInfo[] | undefined) =>
  subscriptions?.find(({ here }) => here);

function isSubscribed(here: PushSubscriptionInfo | undefined, about: PushAbout): boolean {
  if (!here || Notification.permission !== 'granted') return false;
  return about.type === 'payment' ? here.orders.includes(about.orderId) : here.expiry;
}

/**
 * Subscribes this browser. It requests the permission first, so it must be called in a tap; false if the permission is
 * refused.
 */
export async function subscribeHere(key: string, about: PushAbout): Promise<Attempt<boolean>> {
  if ((await Notification.requestPermission()) !== 'granted') return { result: false };
  const browser = await subscribeBrowser(key);
  const { error } = await attempt(subscribePush, { body: { ...browser, key, about } }, { quiet: true });
  return error ? { error } : { result: true };
}

export interface PushOptIn extends Pick<Action<[], unknown>, 'mutate' | 'isPending' | 'problem'> {
  readonly support: PushSupport;
  readonly isSubscribed: boolean;
  /** the subscriptions are loaded, so the offer can be shown */
  readonly known: boolean;
}

/** One kind of notification and the action that requests it. */
export function usePushOptIn(about: PushAbout, onTold?: () => void): PushOptIn {
  const client = useQueryClient();
  const support = usePushSupport();
  const notifies = useIsCapable('account');
  const { data } = useQuery({ ...pushQuery, enabled: support === 'ready' && notifies });
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
  const told = support === 'ready' && isSubscribed(findBrowserSubscription(data?.subscriptions), about);
  return { mutate, isPending, problem, support, isSubscribed: told, known: data !== undefined };
}

const noSubscription = localizedMessage(
  msg`This browser can’t receive notifications right now. Try again later or use another browser.`,
);

/** The browser cannot subscribe: it refuses, has no worker, or cannot reach its push service. */
export class NoSubscription extends Error {}

/**
 * Returns the browser's subscription for this key of the shop and creates it if it is missing. Throws `NoSubscription`.
 */
async function subscribeBrowser(key: string): Promise<BrowserSubscription> {
  const registration = await workerRegistration();
  if (!registration) throw new NoSubscription('there is no worker');
  try {
    const subscription = await currentOrNew(registration.pushManager, key);
    const { endpoint, keys } = subscription.toJSON();
    const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']];
    if (endpoint !== undefined && p256dh !== undefined && auth !== undefined)
      return { endpoint, keys: { p256dh, auth } };
  } catch (cause) {
    // a DOMException means that the push service is missing or unreachable, or that the permission was withdrawn
    if (!(cause instanceof DOMException)) throw cause;
    throw new NoSubscription(cause.message, { cause });
  }
  throw new NoSubscription('the subscription has no keys');
}

/** A subscription for another key is useless and prevents a new one. */
async function currentOrNew(manager: PushManager, key: string): Promise<PushSubscription> {
  const current = await manager.getSubscription();
  if (current && keyOf(current) === key) return current;
  await current?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Removes the browser's subscription, if it has one. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await workerRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
