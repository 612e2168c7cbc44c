/**
 * Measures inserts into a PostgreSQL database over one connection, with a commit for each insert. Prints JSON: `rows`
 * are small rows in one table; `payments` are the rows of a payment by card (order, attempt, charge, capture, receipt),
 * without any checks. Usage, in a separate process: `node bare-inserts.ts <url> <count>`.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inDatabase } from '#tests/fixtures/postgres.ts';
import { demoContents } from '#sandbox/demo-contents.ts';

const [url = '', count = '300'] = process.argv.slice(2);
await inDatabase(url, () => Promise.resolve(), demoContents);
const db = new pg.Client({ connectionString: url });
await db.connect();
await db.query(`create table if not exists bench (id text primary key, owner text not null, at bigint not null);
  create index if not exists bench_owner on bench (owner, at);
  insert into users (uid, brand, account, account_type, password_hash, language, created_at)
  values ('bench', 'lumen', 'bench@example.com', 'email', '-', 'en', 0) on conflict do nothing;`);

const insertRow = (at: number) => db.query('insert into bench values ($1, $2, $3)', [randomUUID(), 'ana', at]);

const statements = [
  `insert into orders (order_id, brand, uid, status, plan_id, plan_names, days, devices, method_code, method_names,
     currency, original, discount, total, installments, result_token, created_at)
   values ($1, 'lumen', 'bench', 'PAYMENT_SUCCEEDED', '301', '{"en":"Monthly Family"}', 30, 3, 'card',
     '{"en":"Credit card"}', 'BRL', 3490, 0, 3490, 1, $1, 0)`,
  `insert into attempts (id, order_id, brand, uid, idempotency_key, request_hash, gateway, method_code, amount, currency,
     installments, state, created_at, updated_at)
   values ($1, $1, 'lumen', 'bench', $1, $1, 'sandbox', 'card', 3490, 'BRL', 1, 'SUCCEEDED', 0, 0)`,
  `insert into sandbox_charges (key, kind, brand, amount, currency, status, public_id, return_url, created_at)
   values ($1, 'card', 'lumen', 3490, 'BRL', 'paid', $1, '/paymentResult', 0)`,
  `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at)
   values ($1, 'lumen', $1, $1, 'capture', 3490, 'BRL', 0)`,
  `insert into outbox (id, brand, recipient, subject, text, html, created_at, next_try_at)
   values ($1, 'lumen', 'bench@example.com', 'Your receipt', 'Thank you.', '<p>Thank you.</p>', 0, 0)`,
];

async function insertPayment(): Promise<void> {
  const id = randomUUID();
  for (const statement of statements) await db.query(statement, [id]);
}

async function perSecond(insert: (index: number) => Promise<unknown>): Promise<number> {
  for (let index = 0; index < 50; index += 1) await insert(index);
  const started = performance.now();
  for (let index = 0; index < Number(count); index += 1) await insert(index);
  return (Number(count) * 1000) / (performance.now() - started);
}

console.log(JSON.stringify({ rows: await perSecond(insertRow), payments: await perSecond(insertPayment) }));
await db.end();
