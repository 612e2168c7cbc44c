import type { PushMessage } from '#contract/push.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { dayIn, i18nIn } from '#server/brand/i18n.ts';
import { pushMessages, type pushSubscriptions, pushWatches } from '#server/db/schema/push.ts';
import { sql, type SQL } from 'drizzle-orm';

/** For how long it is worth hearing that a payment has arrived, in milliseconds. */
const paidLifetimeMs = 24 * 60 * 60_000;

/**
 * Two parts of a statement that tell everybody who waits for an order that it is paid: `told` takes the watches, and
 * `pushed` writes a message for each. `which` picks the watches (the table is called by its name). A watch is taken once,
 * whoever takes it.
 */
export function queuePaidPush(which: SQL, now: number): SQL {
  return sql`told as (
      delete from ${pushWatches} where ${which}
      returning subscription_id, order_id, brand, uid
    ), pushed as (
      insert into ${pushMessages} (id, subscription_id, brand, uid, kind, order_id, created_at, expires_at, next_try_at)
      select subscription_id || ' paid ' || order_id, subscription_id, brand, uid, 'paid', order_id, ${now}::bigint,
        ${now + paidLifetimeMs}::bigint, ${now}::bigint
      from told
      on conflict (id) do nothing
    )`;
}

type Message = Pick<typeof pushMessages.$inferSelect, 'kind' | 'orderId' | 'endsAt'>;
type Reader = Pick<typeof pushSubscriptions.$inferSelect, 'language'>;

/**
 * What is inside of a message, in the words of whoever reads it. A locked screen shows it under the brand's name, so it
 * tells nothing of whom, how much and for what.
 */
export function writePush(
  brand: Pick<Brand, 'name' | 'tenantId' | 'wordings' | 'config'>,
  { language }: Reader,
  { kind, orderId, endsAt }: Message,
): PushMessage {
  const { name, tenantId } = brand;
  const i18n = i18nIn(language, brand);
  const icon = `/icons/${encodeURIComponent(tenantId)}/icon-192.png`;
  const given = { title: name.slice(0, 80), language, icon };
  if (kind === 'ends') {
    const values = { at: endsAt === null ? '' : dayIn(brand, language, endsAt) };
    const body = i18n._({ id: 'push.ends', message: 'Your access ends on {at}.', values });
    return { ...given, body, at: null, tag: 'access', path: '/account' };
  }
  const query = new URLSearchParams({ orderId: orderId ?? '' });
  const body = i18n._({ id: 'push.paid', message: 'Your payment has arrived.' });
  return { ...given, body, at: null, tag: `paid ${orderId}`, path: `/paymentResult?${query.toString()}` };
}
