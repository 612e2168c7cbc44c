import { sql } from 'drizzle-orm';
import type { Database } from '../../src/server/db/connect.ts';

const day = 86_400_000;

/** How many rows of each table `putDue` writes for the job `purgeEnded`: times so many are due. */
export const purgedTables = 13;

/**
 * Work for every job, so many pieces each, due at `now` (epoch milliseconds). `name` tells one call from another. The
 * sandbox bank knows the payments.
 */
export async function putDue(db: Database, { count, now, name }: { count: number; now: number; name: string }) {
  const each = `generate_series(1, ${count}) g(n)`;
  await db.execute(
    sql.raw(`insert into users (uid, brand, account, account_type, email, language, created_at)
      values ('${name}', 'lumen', '${name}@example.com', 'email', '${name}@example.com', 'en', ${now})`),
  );
  const statements = [...payments(each, now, name), ...letters(each, now, name), ...ended(each, now, name)];
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

function payments(each: string, now: number, name: string): readonly string[] {
  const order = (kind: string, status: string, times: { expires?: number; paid?: number }) =>
    `insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names, currency,
      original, discount, total, installments, result_token, created_at, expires_at, paid_at, service_start, service_end)
    select '${name}-${kind}-' || g.n, 'lumen', '${name}', '${status}', '101', '{"en":"One month"}', 30, 1, 'pix', '{"en":"Pix"}', 'BRL',
      1990, 0, 1990, 1, '${name}-${kind}-' || g.n, ${now - day}, ${times.expires ?? null}, ${times.paid ?? null},
      ${times.paid ?? null}, ${times.paid === undefined ? null : times.paid + 30 * day} from ${each}`;
  const attempt = (kind: string, key: string, state: string, updated: number) =>
    `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
      installments, state, created_at, updated_at)
    select '${name}-${key}-' || g.n, '${name}-${kind}-' || g.n, 'lumen', '${name}', '${name}-${key}-' || g.n, 'hash', 'sandbox', 'pix', 1990,
      'BRL', 1, '${state}', ${now - 2 * 60 * 60_000}, ${updated} from ${each}`;
  const charge = (key: string, status: string) =>
    `insert into sandbox_charges (key, kind, method_code, brand, amount, currency, status, public_id, payload, return_url, created_at, expires_at)
    select '${name}-${key}-' || g.n, 'pix', 'pix', 'lumen', 1990, 'BRL', '${status}', '${name}-${key}-' || g.n, 'code', 'http://localhost/',
      ${now}, ${now + day} from ${each}`;
  const capture = (key: string, at: number, giveBackAt: number | null) =>
    `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at)
    select '${name}-${key}-' || g.n, 'lumen', '${name}-twice-' || g.n, '${name}-${key}-' || g.n, 'capture', 1990, 'BRL', ${at}, ${giveBackAt} from ${each}`;
  return [
    order('twice', 'PAYMENT_SUCCEEDED', { paid: now - day }),
    ...(['first', 'second'] as const).flatMap((key) => [
      attempt('twice', key, 'SUCCEEDED', now),
      charge(key, 'paid'),
      capture(key, key === 'first' ? now - 1 : now, key === 'first' ? null : now),
    ]),
    order('waits', 'PAYMENT_PENDING', { expires: now + day }),
    attempt('waits', 'waits', 'PENDING', now - 60 * 60_000),
    charge('waits', 'waiting'),
    order('left', 'PAYMENT_PENDING', { expires: now - 2 * day }),
    attempt('left', 'left', 'EXPIRED', now - 2 * day),
    `insert into sandbox_notices (id, key, body, due_at, repeats)
      select '${name}-' || g.n, '${name}', '{}', ${now - 1}, 1 from ${each}`,
  ];
}

function letters(each: string, now: number, name: string): readonly string[] {
  return [
    `insert into letters (id, brand, kind, account, account_type, language, scene, code, created_at)
      select '${name}-' || g.n, 'lumen', 'code', '${name}@example.com', 'email', 'en', 'login', '0000', ${now} from ${each}`,
    `insert into outbox (id, brand, recipient, subject, text, html, created_at, next_try_at)
      select '${name}-' || g.n, 'lumen', '${name}@example.com', 'Your receipt', 'Thank you.', '<p>Thank you.</p>', ${now}, ${now} from ${each}`,
  ];
}

function ended(each: string, now: number, name: string): readonly string[] {
  const id = `'${name}-' || g.n`;
  const ago = (days: number) => now - days * day;
  return [
    `insert into sessions (token_hash, brand, uid, created_at, expires_at)
      select ${id}, 'lumen', '${name}', ${ago(11)}, ${ago(1)} from ${each}`,
    `insert into throttles (key, count, resets_at)
      select ${id}, 1, ${ago(1)} from ${each}`,
    `insert into captchas (id, brand, answer_hash, expires_at)
      select ${id}, 'lumen', 'hash', ${ago(1)} from ${each}`,
    `insert into spent_tokens (brand, id, expires_at)
      select 'lumen', ${id}, ${ago(1)} from ${each}`,
    `insert into verification_codes (brand, account, scene, code_hash, tries_left, created_at, expires_at)
      select 'lumen', ${id}, 'login', 'hash', 3, ${ago(3)}, ${ago(3)} from ${each}`,
    `insert into device_grants (device_code_hash, brand, user_code_hash, device, model, uid, signed_in, state, next_poll_at, expires_at)
      select ${id}, 'lumen', ${id}, 'box', 'box', null, false, 'waiting', ${ago(3)}, ${ago(3)} from ${each}`,
    `insert into mail_links (token_hash, brand, uid, purpose, email, created_at, expires_at, used_at)
      select ${id}, 'lumen', '${name}', 'reset', 'x@example.com', ${ago(40)}, ${ago(40)}, null from ${each}`,
    `insert into webhook_events (gateway, event_id, received_at)
      select 'sandbox', ${id}, ${ago(40)} from ${each}`,
    `insert into login_records (id, brand, uid, device, model, ip, at)
      select ${id}, 'lumen', '${name}', 'Phone', 'A5', '10.0.0.1', ${ago(400)} from ${each}`,
    `insert into analytics_events (id, brand, at, fields)
      select ${id}, 'lumen', ${ago(430)}, '{"page_id":1}' from ${each}`,
    `insert into outbox (id, brand, recipient, subject, text, html, created_at, sent_at, tries, next_try_at)
      select 'sent-' || ${id}, 'lumen', 'x@example.com', 'Old', 'Old', 'Old', ${ago(41)}, ${ago(40)}, 1, ${ago(40)} from ${each}`,
    `insert into outbox (id, brand, recipient, subject, text, html, created_at, tries, next_try_at)
      select 'kept-' || ${id}, 'lumen', 'x@example.com', 'Old', 'Old', 'Old', ${ago(41)}, 12, ${ago(40)} from ${each}`,
    `insert into uploads (object_id, brand, uid, media_type, content, created_at)
      select ${id}, 'lumen', '${name}', 'image/png', '\\x89504e47', ${ago(100)} from ${each}`,
  ];
}
