import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Result } from '#contract/endpoint.ts';
import type { listPush } from '#contract/push.ts';
import { refreshQueries } from '#web/platform/api/query.ts';
import { NoSubscription } from '#web/domain/notifications/browser-subscription.ts';
import { hereOf, pushQuery, subscribeHere } from '#web/domain/notifications/use-push.ts';
import { getSession } from '#web/platform/session/session.ts';
import { reminderKey } from '#web/platform/session/storage/device-keys.ts';

/** Records that the customer requested reminders under this session. */
export function recordReminder(): void {
  const expiration = getSession()?.expiration;
  if (expiration !== undefined) reminderKey.set({ expiration });
}

/**
 * Restores a reminder whose session has ended, when the same customer has logged in again: it was never declined. A
 * reminder that is missing under its own session was ended elsewhere and is not restored.
 */
export function useKeptReminder(data: Result<typeof listPush> | undefined, possible: boolean): void {
  const client = useQueryClient();
  const tried = useRef(false);
  useEffect(() => {
    const kept = reminderKey.get();
    if (!data || !possible || !kept || tried.current || hereOf(data.subscriptions)?.expiry) return;
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
