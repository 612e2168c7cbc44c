import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';

const day = 86_400_000;

/**
 * Inserts customers with a monthly renewal, each with a card, a paid order and its ledger entry. None is due within a
 * hundred days of `now` (epoch milliseconds).
 */
export async function fillSubscriptions(db: Database, count: number, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    // checking millions of references one by one would take minutes
    await tx.execute(sql.raw('set local session_replication_role = replica'));
    for (const statement of statements(count, now)) await tx.execute(sql.raw(statement));
  });
  await db.execute(sql.raw('vacuum analyze'));
}

function statements(count: number, now: number): readonly string[] {
  const from = `from generate_series(1, ${count}) g(n)`;
  const id = `'renews-' || g.n`;
  const order = `'RENEWS' || lpad(g.n::text, 8, '0')`;
  const due = `(${now + 100 * day}::bigint + (g.n::float8 / ${count} * ${300 * day})::bigint)`;
  const bought = `(${due} - ${30 * day})`;
  return [
    `insert into users (uid, brand, account, account_type, email, language, created_at, plan_id, limit_count, expired_time)
      select ${id}, 'lumen', ${id} || '@example.com', 'email', ${id} || '@example.com', 'en', ${bought}, '101', 1, ${due} + ${8 * day} ${from}`,
    `insert into saved_cards (card_id, brand, uid, gateway, method_code, token, card_brand, last4, expiry_month, expiry_year,
        code_digits, created_at, used_at)
      select ${id}, 'lumen', ${id}, 'sandbox', 'card', ${id}, 'visa', '4242', 12, 2040, 3, ${bought}, ${bought} ${from}`,
    `insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names,
        currency, original, discount, total, installments, result_token, created_at, paid_at, service_start, service_end,
        subscription_id, period)
      select ${order}, 'lumen', ${id}, 'PAYMENT_SUCCEEDED', '101', '{"en":"One month"}', 30, 1, 'card', '{"en":"Card"}', 'BRL',
        1990, 0, 1990, 1, ${id}, ${bought}, ${bought}, ${bought}, ${bought} + ${30 * day}, ${id}, 1 ${from}`,
    `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
        installments, card_id, state, created_at, updated_at)
      select ${id}, ${order}, 'lumen', ${id}, 'renewal ' || ${id} || ' 1 0', 'hash', 'sandbox', 'card', 1990, 'BRL', 1, ${id},
        'SUCCEEDED', ${bought}, ${bought} ${from}`,
    `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at)
      select ${id}, 'lumen', ${order}, ${id}, 'capture', 1990, 'BRL', ${bought}, null ${from}`,
    `insert into mail_links (token_hash, brand, uid, purpose, email, created_at, expires_at)
      select ${id}, 'lumen', ${id}, 'renewal', ${id} || '@example.com', ${bought}, ${due} ${from}`,
    `insert into subscriptions (id, brand, uid, status, plan_id, days, method_code, card_id, price, currency, period, due_at,
        next_charge_at, paid_until, created_at, updated_at)
      select ${id}, 'lumen', ${id}, 'on', '101', 30, 'card', ${id}, 1990, 'BRL', 2, ${due}, ${due} + ${7 * day},
        ${due} + ${8 * day}, ${bought}, ${bought} ${from}`,
  ];
}
