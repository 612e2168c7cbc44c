import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { remainingTimeState } from '#contract/account.ts';
import { endPush, type PushSubscriptionInfo, type listPush } from '#contract/push.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { refreshQueries } from '#web/platform/api/query.ts';
import { PushOffer } from '#web/domain/notifications/push-offer.tsx';
import {
  pushQuery,
  usePushOptIn,
  findBrowserSubscription,
  subscribeHere,
  unsubscribeBrowser,
  NoSubscription,
  type PushOptIn,
} from '#web/domain/notifications/use-push.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { dot } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { reminderKey } from '#web/platform/session/storage/device-keys.ts';
import styles from './account.module.css';
import { DeviceIcon } from './last-logins.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { timeText } from '#web/platform/i18n/day-text.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useEffect, useRef } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { getSession } from '#web/platform/session/session.ts';

/** The devices with push notifications, each with a button to end them, and the offer of reminders on this device. */
export function Messages({ expiredTime }: { expiredTime: number | null }) {
  const state = remainingTimeState(expiredTime, serverNow());
  const runs = state === 'days' || state === 'lessThanADay';
  const { data } = useQuery(pushQuery);
  const telling = usePushOptIn({ type: 'expiry' }, recordReminder);
  useRestoredReminder(data, telling.support === 'ready' && runs);
  const heading = useFocusAfterRemoval(data?.subscriptions.length);
  const all = data?.subscriptions ?? [];
  if (!data || (all.length === 0 && !(runs && telling.support !== 'missing'))) return null;
  return (
    <Card as="section" aria-labelledby="messages" className={styles.wide}>
      <h2 className={styles.heading} id="messages" ref={heading} tabIndex={-1}>
        <Trans>Notifications on your devices</Trans>
      </h2>
      {all.length === 0 ? null : (
        <ul className={styles.logins}>
          {all.map((one) => (
            <OneDevice key={one.id} subscription={one} />
          ))}
        </ul>
      )}
      {runs && !telling.isSubscribed ? <Reminder telling={telling} /> : null}
    </Card>
  );
}

function Reminder({ telling }: { telling: PushOptIn }) {
  return (
    <div className={styles.form}>
      <p className={styles.soft}>
        <Trans>
          We can remind you three days and one day before your access ends, as long as you’re logged in here.
        </Trans>
      </p>
      <PushOffer optIn={telling} ask={<Trans>Remind me before it ends</Trans>} told={null} />
    </div>
  );
}

function OneDevice({ subscription }: { subscription: PushSubscriptionInfo }) {
  const { i18n, t } = useLingui();
  const client = useQueryClient();
  const { id, device, model, here } = subscription;
  const { mutate, isPending, problem } = useApiMutation(endPush, {
    onSuccess: () => ended(),
    onError: () => void ended(),
    shows: 'all',
  });
  const ended = async () => {
    if (here) await unsubscribe();
    await refreshQueries(client, { queryKey: pushQuery.queryKey });
  };
  const name = [device || t`Unknown device`, model].filter(Boolean).join(dot);
  const since = timeText(i18n, subscription.since);
  return (
    <li className={styles.savedCard}>
      <DeviceIcon device={device} />
      <span>
        <strong>{here ? <Trans>{name} (this device)</Trans> : name}</strong>
        <span className={styles.soft}>
          <Trans>Since {since}</Trans>
        </span>
        <SubscriptionTopics subscription={subscription} />
        {problem ? <Problem>{problem}</Problem> : null}
      </span>
      <Button variant="quiet" busy={isPending} onClick={() => mutate({ body: { id } })}>
        <Trans>
          Turn off<span className="sr-only"> {name}</span>
        </Trans>
      </Button>
    </li>
  );
}

function SubscriptionTopics({ subscription: { expiry, orders } }: { subscription: PushSubscriptionInfo }) {
  return (
    <>
      {expiry ? (
        <span className={styles.soft}>
          <Trans>Reminds you before your access ends</Trans>
        </span>
      ) : null}
      {orders.length > 0 ? (
        <span className={styles.soft}>
          <Trans>Notifies you when your payment arrives</Trans>
        </span>
      ) : null}
      {!expiry && orders.length === 0 ? (
        <span className={styles.soft}>
          <Trans>Nothing to notify right now</Trans>
        </span>
      ) : null}
    </>
  );
}

async function unsubscribe(): Promise<void> {
  reminderKey.remove();
  await unsubscribeBrowser();
}

/** Records that the customer requested reminders under this session. */
function recordReminder(): void {
  const expiration = getSession()?.expiration;
  if (expiration !== undefined) reminderKey.set({ expiration });
}

/**
 * Restores a reminder whose session has ended, when the same customer has logged in again: it was never declined. A
 * reminder that is missing under its own session was ended elsewhere and is not restored.
 */
function useRestoredReminder(data: Result<typeof listPush> | undefined, possible: boolean): void {
  const client = useQueryClient();
  const tried = useRef(false);
  useEffect(() => {
    const kept = reminderKey.get();
    if (!data || !possible || !kept || tried.current || findBrowserSubscription(data.subscriptions)?.expiry) return;
    if (kept.expiration === getSession()?.expiration) return reminderKey.remove();
    if (Notification.permission !== 'granted') return;
    tried.current = true;
    restoreReminder(data.key).then(
      () => refreshQueries(client, { queryKey: pushQuery.queryKey }),
      (error: unknown) => {
        // the customer did not request it now, and the next visit tries again
        if (!(error instanceof NoSubscription)) throw error;
        console.info('The reminder was not brought back.', error.message);
      },
    );
  }, [data, possible, client]);
}

async function restoreReminder(key: string): Promise<void> {
  const { result, error } = await subscribeHere(key, { type: 'expiry' });
  if (result) recordReminder();
  if (error) console.info('The reminder was not brought back.', error.message);
}
