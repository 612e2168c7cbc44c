import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { vapidKeys } from '#server/messages/push/send-push.ts';

const day = 86_400_000;

/** The number of tables with rows that `deleteExpiredRows` deletes; `insertDueWork` writes `count` rows for each. */
export const purgedTables = 16;

/** The address of the webhooks that `insertDueWork` writes. No server listens there. */
export const dueWebhook = 'http://127.0.0.1:9/hooks';
/** The signing secret of the VAPID keys in the push subscriptions that `insertDueWork` writes. */
export const dueSecret = 'a secret of the tests that is long enough';
/** The public key of a browser. */
const browserKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

/**
 * Inserts `count` pieces of work for every job, due at `now` (epoch milliseconds). `name` makes the ids of a call
 * unique. The sandbox bank has the payments.
 */
export async function insertDueWork(db: Database, { count, now, name }: { count: number; now: number; name: string }) {
  const each = `generate_series(1, ${count}) g(n)`;
  await db.execute(
    sql.raw(`insert into users (uid, brand, account, account_type, email, language, created_at)
      values ('${name}', 'lumen', '${name}@example.com', 'email', '${name}@example.com', 'en', ${now}),
        ('${name}-silent', 'lumen', '${name}-silent', 'phone', null, 'en', ${now})`),
  );
  const statements = [
    ...payments(each, now, name),
    ...messageRequests(each, now, name),
    ...pushes(each, now, name),
    ...leaving(each, now, name),
    ...ended(each, now, name),
  ];
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

function payments(each: string, now: number, name: string): readonly string[] {
  const order = (kind: string, status: string, times: { expires?: number; paid?: number }, uid = name) =>
    `insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names, currency,
      original, discount, total, installments, result_token, created_at, expires_at, paid_at, service_start, service_end)
    select '${name}-${kind}-' || g.n, 'lumen', '${uid}', '${status}', '101', '{"en":"One month"}', 30, 1, 'pix', '{"en":"Pix"}', 'BRL',
      1990, 0, 1990, 1, '${name}-${kind}-' || g.n, ${now - day}, ${times.expires ?? null}, ${times.paid ?? null},
      ${times.paid ?? null}, ${times.paid === undefined ? null : times.paid + 30 * day} from ${each}`;
  const attempt = (kind: string, key: string, state: string, updated: number) =>
    `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
      installments, state, created_at, updated_at)
    select '${name}-${key}-' || g.n, '${name}-${kind}-' || g.n, 'lumen', '${name}', '${name}-${key}-' || g.n, 'hash', 'sandbox', 'pix', 1990,
      'BRL', 1, '${state}', ${now - 2 * 60 * 60_000}, ${updated} from ${each}`;
  const capture = (kind: string, key: string, at: number, due: { giveBackAt?: number; invoiceAt?: number } = {}) =>
    `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at, give_back_at, invoice_at)
    select '${name}-${key}-' || g.n, 'lumen', '${name}-${kind}-' || g.n, '${name}-${key}-' || g.n, 'capture', 1990, 'BRL', ${at},
      ${due.giveBackAt ?? null}, ${due.invoiceAt ?? null} from ${each}`;
  const charge = (key: string, status: string) =>
    `insert into sandbox_charges (key, kind, method_code, brand, amount, currency, status, public_id, payload, return_url, created_at, expires_at)
    select '${name}-${key}-' || g.n, 'pix', 'pix', 'lumen', 1990, 'BRL', '${status}', '${name}-${key}-' || g.n, 'code', 'http://localhost/',
      ${now}, ${now + day} from ${each}`;
  return [
    order('twice', 'PAYMENT_SUCCEEDED', { paid: now - day }),
    ...(['first', 'second'] as const).flatMap((key) => [
      attempt('twice', key, 'SUCCEEDED', now),
      charge(key, 'paid'),
      capture('twice', key, key === 'first' ? now - 1 : now, key === 'first' ? {} : { giveBackAt: now }),
    ]),
    // of a customer without an address, because a mail about it would be work for another job
    order('parted', 'PAYMENT_SUCCEEDED', { paid: now - day }, `${name}-silent`),
    attempt('parted', 'parted', 'SUCCEEDED', now),
    charge('parted', 'paid'),
    capture('parted', 'parted', now - day, { invoiceAt: now - day }),
    `insert into refunds (id, brand, order_id, attempt_id, number, amount, currency, state, asked_at, next_try_at)
      select '${name}-parted-' || g.n, 'lumen', '${name}-parted-' || g.n, '${name}-parted-' || g.n, 1, 500, 'BRL', 'ASKED', ${now - 60_000},
        ${now - 1} from ${each}`,
    order('waits', 'PAYMENT_PENDING', { expires: now + day }),
    attempt('waits', 'waits', 'PENDING', now - 60 * 60_000),
    charge('waits', 'waiting'),
    order('slip', 'PAYMENT_PENDING', { expires: now + day }, `${name}-silent`),
    `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
      installments, state, next, created_at, updated_at, expires_at)
    select '${name}-slip-' || g.n, '${name}-slip-' || g.n, 'lumen', '${name}-silent', '${name}-slip-' || g.n, 'hash', 'sandbox', 'boleto',
      1990, 'BRL', 1, 'PENDING', '{"type":"ticket"}', ${now - 2 * day}, ${now}, ${now + day} from ${each}`,
    order('left', 'PAYMENT_PENDING', { expires: now - 2 * day }),
    attempt('left', 'left', 'EXPIRED', now - 2 * day),
    `insert into sandbox_notices (id, key, body, due_at, repeats)
      select '${name}-' || g.n, '${name}', '{}', ${now - 1}, 1 from ${each}`,
  ];
}

function messageRequests(each: string, now: number, name: string): readonly string[] {
  // A customer for each, because the number of codes per customer and day is limited.
  const account = `'${name}-' || g.n || '@example.com'`;
  return [
    `insert into users (uid, brand, account, account_type, email, language, created_at)
      select '${name}-' || g.n, 'lumen', ${account}, 'email', ${account}, 'en', ${now} from ${each}`,
    `insert into message_requests (id, brand, kind, account, account_type, language, scene, code, created_at)
      select '${name}-' || g.n, 'lumen', 'code', ${account}, 'email', 'en', 'login', '0000', ${now} from ${each}`,
    // the paid period ended while the renewal was off
    `insert into subscriptions (id, brand, uid, status, plan_id, days, method_code, price, currency, due_at, paid_until, created_at, updated_at)
      select '${name}-' || g.n, 'lumen', '${name}-' || g.n, 'off', '101', 30, 'card', 1990, 'BRL', ${now - 1}, ${now - 1},
        ${now - 30 * day}, ${now - day} from ${each}`,
    `insert into webhook_deliveries (event_id, url, brand, type, body, created_at, next_try_at)
      select '${name}-' || g.n, '${dueWebhook}', 'lumen', 'order.paid', '{}', ${now}, ${now} from ${each}`,
    `insert into outbox (id, brand, recipient, subject, text, html, created_at, next_try_at)
      select '${name}-' || g.n, 'lumen', '${name}@example.com', 'Your receipt', 'Thank you.', '<p>Thank you.</p>', ${now}, ${now} from ${each}`,
  ];
}

function pushes(each: string, now: number, name: string): readonly string[] {
  const id = `'${name}-push-' || g.n`;
  const { publicKey } = vapidKeys({ SIGNING_SECRET: dueSecret }, 'lumen');
  return [
    `insert into sessions (token_hash, brand, uid, created_at, expires_at)
      select ${id}, 'lumen', '${name}', ${now}, ${now + day} from ${each}`,
    `insert into push_subscriptions (id, brand, uid, session_hash, endpoint, p256dh, auth, vapid_key, language, device, model,
        created_at, remind_at)
      select ${id}, 'lumen', '${name}', ${id}, 'https://fcm.googleapis.com/${name}/' || g.n, '${browserKey}',
        'DGv6ra1nlYgDCS1FRnbzlw', '${publicKey}', 'en', 'Android', 'A5', ${now}, ${now} from ${each}`,
    `insert into push_watches (order_id, subscription_id, brand, uid, created_at, look_at)
      select '${name}-left-' || g.n, ${id}, 'lumen', '${name}', ${now}, ${now} from ${each}`,
    `insert into push_messages (id, subscription_id, brand, uid, kind, order_id, created_at, expires_at, next_try_at)
      select ${id}, ${id}, 'lumen', '${name}', 'paid', 'ORDER', ${now}, ${now + day}, ${now} from ${each}`,
  ];
}

/** Accounts due for deletion, without an address, because a mail about it would be work for another job. */
function leaving(each: string, now: number, name: string): readonly string[] {
  const id = `'${name}-leaves-' || g.n`;
  return [
    `insert into users (uid, brand, account, account_type, language, created_at, leaves_at)
      select ${id}, 'lumen', ${id}, 'phone', 'en', ${now}, ${now - 1} from ${each}`,
    `insert into cards_to_forget (id, gateway, token, next_try_at, created_at)
      select ${id}, 'sandbox', ${id}, ${now - 1}, ${now} from ${each}`,
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
    `insert into passkey_challenges (challenge_hash, brand, host, expires_at)
      select ${id}, 'lumen', 'localhost', ${ago(1)} from ${each}`,
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
    `insert into webhook_deliveries (event_id, url, brand, type, body, created_at, next_try_at)
      select 'old-' || ${id}, '${dueWebhook}', 'mego', 'order.paid', '{}', ${ago(40)}, ${ago(40)} from ${each}`,
    `insert into login_records (id, brand, uid, device, model, ip, at)
      select ${id}, 'lumen', '${name}', 'Phone', 'A5', '10.0.0.1', ${ago(400)} from ${each}`,
    `insert into mail_bounces (address_hash, kind, at)
      select ${id}, 'permanent', ${ago(800)} from ${each}`,
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
