import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';

const day = 86_400_000;

/**
 * Inserts the history of a shop by SQL: `orders` orders with their rows, nothing of which is due at `now` (epoch
 * milliseconds). Nine of ten are paid, one in a hundred was paid twice and refunded. A customer has ten orders, but
 * `busy` has a hundredth of all.
 */
export async function fillHistory(db: Database, orders: number, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    // checking a million references one by one would take minutes
    await tx.execute(sql.raw('set local session_replication_role = replica'));
    for (const statement of history(orders, now)) await tx.execute(sql.raw(statement));
  });
  await db.execute(sql.raw('vacuum analyze'));
}

/** Timestamps that are spread evenly over a number of days from `now`. */
const spread = (now: number, days: number, count: number) =>
  `(${now}::bigint + (g.n::float8 / ${count} * ${days * day})::bigint)`;
const series = (count: number, every = 1) => `generate_series(1, ${Math.max(1, count)}, ${every}) g(n)`;

export const busy = 'many-0';

function history(orders: number, now: number): readonly string[] {
  return [...payments(orders, now), ...everythingElse(orders, now)];
}

function payments(orders: number, now: number): readonly string[] {
  const uid = `'many-' || case when g.n <= ${orders / 100} then 0 else g.n / 10 end`;
  const paid = 'g.n % 10 > 0';
  const at = spread(now - 730 * day, 729, orders);
  const attempt = `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount,
    currency, installments, state, provider_ref, created_at, updated_at, expires_at)`;
  const entry = 'insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at)';
  return [
    `insert into users (uid, brand, account, account_type, email, language, created_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n || '@example.com', 'email', 'many-' || g.n || '@example.com', 'en',
        ${now - 800 * day} from generate_series(0, ${orders / 10}) g(n)`,
    `insert into payer_names (brand, word, uid)
      select 'lumen', md5((g.n % 500)::text), 'many-' || g.n from generate_series(0, ${orders / 10}) g(n)`,
    `insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names,
        currency, original, discount, total, installments, result_token, created_at, paid_at, service_start, service_end)
      select 'MANY' || lpad(g.n::text, 8, '0'), 'lumen', ${uid},
        case when ${paid} then 'PAYMENT_SUCCEEDED' when g.n % 20 = 0 then 'PAYMENT_CANCELLED' else 'PAYMENT_FAILED' end,
        '101', '{"en":"One month"}', 30, 1, 'pix', '{"en":"Pix"}', 'BRL', 1990, 0, 1990, 1, 'many-' || g.n, ${at},
        case when ${paid} then ${at} end, case when ${paid} then ${at} end, case when ${paid} then ${at} + ${30 * day} end
      from ${series(orders)}`,
    `${attempt} select 'many-' || g.n, 'MANY' || lpad(g.n::text, 8, '0'), 'lumen', ${uid}, 'many-' || g.n, 'hash',
        case when g.n % 5 = 0 then 'paypal' else 'sandbox' end, 'pix', 1990, 'BRL', 1,
        case when ${paid} then 'SUCCEEDED' when g.n % 20 = 0 then 'EXPIRED' else 'FAILED' end, 'capture:' || g.n, ${at}, ${at}, ${at}
      from ${series(orders)}`,
    `${attempt} select 'twice-' || g.n, 'MANY' || lpad(g.n::text, 8, '0'), 'lumen', ${uid}, 'twice-' || g.n, 'hash', 'sandbox', 'pix', 1990, 'BRL', 1,
        'SUCCEEDED', null, ${at}, ${at}, ${at}
      from ${series(orders, 100)}`,
    `${entry} select 'many-' || g.n, 'lumen', 'MANY' || lpad(g.n::text, 8, '0'), 'many-' || g.n, 'capture', 1990, 'BRL', ${at}, null
      from ${series(orders)} where ${paid}`,
    ...['capture', 'refund'].map(
      (
        kind,
      ) => `${entry} select '${kind}-' || g.n, 'lumen', 'MANY' || lpad(g.n::text, 8, '0'), 'twice-' || g.n, '${kind}',
        ${kind === 'refund' ? -1990 : 1990}, 'BRL', ${at} + 1, null from ${series(orders, 100)}`,
    ),
    `insert into sandbox_charges (key, kind, method_code, brand, amount, currency, status, public_id, details, return_url,
        created_at, ripe_at)
      select 'many-' || g.n, case when g.n % 5 = 0 then 'mobile' else 'pix' end, 'pix', 'lumen', 1990, 'BRL', 'paid',
        'many-' || g.n, jsonb_build_object('phone', '2547' || g.n), 'http://localhost/', ${at}, ${at}
      from ${series(orders)}`,
  ];
}

/** A quarter as many rows of every other table, none of which is due. */
function everythingElse(orders: number, now: number): readonly string[] {
  const count = Math.ceil(orders / 4);
  const soon = spread(now + day, 9, count);
  const lately = spread(now - 20 * day, 19, count);
  const from = `from ${series(count)}`;
  return [
    `insert into sandbox_notices (id, key, gateway, body, due_at, repeats)
      select 'many-' || g.n, 'many-' || g.n, 'sandbox', '{}', ${soon}, 2 ${from}`,
    `insert into sessions (token_hash, brand, uid, created_at, expires_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n % 100, ${lately}, ${soon} ${from}`,
    `insert into push_subscriptions (id, brand, uid, session_hash, endpoint, p256dh, auth, vapid_key, language, device, model,
        created_at, remind_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n % 100, 'many-' || g.n, 'https://fcm.googleapis.com/' || g.n, 'key', 'auth',
        'key', 'en', 'Android', 'A5', ${lately}, case when g.n % 2 = 0 then ${soon} end ${from}`,
    `insert into subscriptions (id, brand, uid, status, plan_id, days, method_code, price, currency, due_at, next_charge_at,
        paid_until, created_at, updated_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n, 'on', '101', 30, 'card', 1990, 'BRL', ${soon}, ${soon} + ${7 * day},
        ${soon} + ${8 * day}, ${lately}, ${lately} from ${series(Math.min(count, orders / 10))}`,
    `insert into push_watches (order_id, subscription_id, brand, uid, created_at, look_at)
      select 'MANY' || lpad(g.n::text, 8, '0'), 'many-' || g.n, 'lumen', 'many-' || g.n % 100, ${lately}, ${soon} ${from}`,
    `insert into push_messages (id, subscription_id, brand, uid, kind, created_at, expires_at, next_try_at)
      select 'many-' || g.n, 'many-' || g.n, 'lumen', 'many-' || g.n % 100, 'paid', ${lately}, ${soon}, ${soon} ${from}`,
    `insert into throttles (key, count, resets_at)
      select 'many-' || g.n, 1, ${soon} ${from}`,
    `insert into captchas (id, brand, answer_hash, expires_at)
      select 'many-' || g.n, 'lumen', 'hash', ${soon} ${from}`,
    `insert into spent_tokens (brand, id, expires_at)
      select 'lumen', 'many-' || g.n, ${soon} ${from}`,
    `insert into verification_codes (brand, account, scene, code_hash, tries_left, created_at, expires_at)
      select 'lumen', 'many-' || g.n, 'login', 'hash', 3, ${lately}, ${soon} ${from}`,
    `insert into device_grants (device_code_hash, brand, user_code_hash, device, model, uid, signed_in, state, next_poll_at, expires_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n, 'box', 'box', null, false, 'waiting', ${soon}, ${soon} ${from}`,
    `insert into mail_links (token_hash, brand, uid, purpose, email, created_at, expires_at, used_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n % 100, 'reset', 'many@example.com', ${lately}, ${lately}, null ${from}`,
    `insert into webhook_events (gateway, event_id, received_at)
      select 'sandbox', case when g.n % 50 = 0 then 'refund many-' || g.n || ' opened ' else 'charge ' end || g.n,
        ${lately} ${from}`,
    `insert into webhook_deliveries (event_id, url, brand, type, body, created_at, next_try_at, tries, sent_at)
      select 'many-' || g.n, 'http://127.0.0.1:9/hooks', 'lumen', 'order.paid', '{}', ${lately}, ${lately}, 1, ${lately} ${from}`,
    `insert into login_records (id, brand, uid, device, model, ip, at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n % 100, 'Phone', 'A5', '10.0.0.1', ${spread(now - 300 * day, 300, count)} ${from}`,
    `insert into analytics_events (id, brand, at, fields)
      select 'many-' || g.n, 'lumen', ${spread(now - 300 * day, 300, count)}, '{"page_id":1}' ${from}`,
    `insert into outbox (id, brand, recipient, subject, text, html, created_at, sent_at, tries, next_try_at)
      select 'many-' || g.n, 'lumen', 'many@example.com', 'Your receipt', 'Thank you.', '<p>Thank you.</p>',
        ${lately}, case when g.n % 50 > 0 then ${spread(now - day / 2, 0.4, count)} end, 12, ${lately} ${from}`,
    `insert into audit_log (id, at, who, why, command, brand, subject, detail)
      select 'many-' || g.n, ${lately}, 'eva', 'ticket ' || g.n, 'orders refund', 'lumen', 'MANY' || lpad(g.n::text, 8, '0'), '{}' ${from}`,
    `insert into stray_notices (gateway, event_id, key, kind, received_at)
      select 'sandbox', 'many-' || g.n, 'stray-' || g.n, 'charge', ${lately} ${from}`,
    `insert into uploads (object_id, brand, uid, media_type, content, created_at)
      select 'many-' || g.n, 'lumen', 'many-' || g.n % 100, 'image/png', '\\x89504e47', ${lately} ${from}`,
    `insert into transfers (key, brand, flavour, reference, amount, currency, receiver, state, object_id, created_at, expires_at, reviewed_at)
      select 'many-' || g.n, 'mego', 'paynow', 'many-' || g.n, 1990, 'SGD', '{"name":"Shop","account":"53012345D"}', 'accepted',
        'many-' || g.n, ${lately}, ${lately}, ${lately} ${from}`,
  ];
}
