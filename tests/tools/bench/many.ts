import { sql } from 'drizzle-orm';
import pg from 'pg';
import * as endpoints from '#contract/index.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { hashPassword } from '#server/auth/password.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { plannedAt } from '#tests/fixtures/plans.ts';
import { startOwnPostgres } from '#tests/fixtures/postgres.ts';
import { times, type Figure } from './figures.ts';

const few = { orders: 1000, customers: 200 };
const many = { orders: 1_000_000, customers: 200_000 };
/** customers who buy, open their orders and log in; each has ten orders */
const customerCount = 90;
const rounds = { orders: 20, pay: 6, login: 3 } as const;
type Action = keyof typeof rounds;
const maxRatio = 1.3;
const password = 'a song of two rivers';

interface Customer {
  readonly account: string;
  readonly token: string;
}

interface Shop {
  readonly app: TestApp;
  readonly customers: readonly Customer[];
  readonly times: Record<Action, number[]>;
}

async function aShopWith(url: string, size: typeof few, opened: OpenedDatabase[]): Promise<Shop> {
  const filling = await openPostgres(url, createLog('silent'), { contents: demoContents, withoutTimeout: true });
  const started = performance.now();
  await fillHistory(filling.db, size.orders, testNow);
  // the customers without orders
  await filling.db.execute(
    sql.raw(`insert into users (uid, brand, account, account_type, email, language, created_at)
      select 'more-' || n, 'lumen', 'more-' || n || '@example.com', 'email', 'more-' || n || '@example.com', 'en', ${testNow}
      from generate_series(1, ${size.customers - size.orders / 10}) n`),
  );
  await filling.db.execute(sql.raw('vacuum analyze users'));
  const customers = await logInCustomers(filling);
  await filling.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.info(
    `${size.orders.toLocaleString('en')} orders, ${size.customers.toLocaleString('en')} customers: ${seconds} s`,
  );
  const one = await openPostgres(url, createLog('silent'), { contents: demoContents });
  opened.push(one);
  return { app: await testApp({ db: one.db }), customers, times: { orders: [], pay: [], login: [] } };
}

async function logInCustomers({ db }: OpenedDatabase): Promise<Customer[]> {
  const hash = await hashPassword(password, '127.0.0.1');
  const customers: Customer[] = [];
  for (let index = 2; index < customerCount + 2; index += 1) {
    const [uid, token] = [`many-${index}`, `bench-token-of-${index}-that-is-long-enough`];
    await db.execute(sql`update users set password_hash = ${hash} where uid = ${uid}`);
    await db.execute(sql`insert into sessions (token_hash, brand, uid, created_at, expires_at)
      values (${tokenHash(token)}, 'lumen', ${uid}, ${testNow}, ${testNow + 86_400_000})`);
    customers.push({ account: `${uid}@example.com`, token });
  }
  return customers;
}

/** Each action prepares itself and returns the call whose time is measured. */
const actions: Readonly<Record<Action, (app: TestApp, customer: Customer) => Promise<() => Promise<unknown>>>> = {
  orders:
    async (app, { token }) =>
    () =>
      app.request(endpoints.orders, { body: { page: 1, size: 10 } }, { token }).then(({ data }) => data),
  // only the payment is measured, not its quote
  pay: async (app, { token }) => {
    const price = { planId: '101', methodCode: 'card', currency: 'BRL' };
    const { quoteId } = (await app.request(endpoints.goodsValuation, { body: price }, { token })).data;
    const card = {
      number: '4242424242424242',
      expiry: '12/39',
      code: '123',
      holderFirstName: 'A',
      holderLastName: 'B',
    };
    const payer = { firstName: 'A', lastName: 'B', document: '52998224725', phone: '11987654321' };
    const rest = { installments: 1, card, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
    const idempotencyKey = crypto.randomUUID();
    return () =>
      app
        .request(endpoints.pay, { body: { ...price, ...rest, quoteId } }, { token, idempotencyKey })
        .then(({ data }) => data);
  },
  login:
    async (app, { account }) =>
    () =>
      app.request(endpoints.login, { body: { account, password, type: 'email' } }).then(({ data }) => data),
};

async function measureOnce(action: Action, { app, customers, times: taken }: Shop, index: number): Promise<void> {
  const customer = customers[index % customers.length];
  if (!customer) throw new Error('there are no customers');
  const call = await actions[action](app, customer);
  const started = performance.now();
  await call();
  taken[action].push(performance.now() - started);
}

async function compare(action: Action, shops: readonly [Shop, Shop]): Promise<void> {
  for (let index = 0; index < rounds[action] * customerCount; index += 1) {
    // the order affects the caches, so it alternates
    const pair = index % 2 === 0 ? shops : shops.toReversed();
    for (const shop of pair) await measureOnce(action, shop, index);
  }
}

/** The indexes by which each action finds its rows among a million; a sequential scan misses the target. */
async function plansOf(url: string, [customer]: readonly Customer[]): Promise<Figure[]> {
  if (!customer) throw new Error('there are no customers');
  const planned = plannedAt(url);
  try {
    const app = await testApp({ db: planned.db });
    const large = await planned.large();
    const figures: Figure[] = [];
    for (const [name, prepare] of Object.entries(actions)) {
      const reads = await planned.planned(async () => (await prepare(app, customer))());
      const used = reads.map(({ table, index }) => index ?? (large.includes(table) ? `all of ${table}` : ''));
      const measured = [...new Set(used.filter(Boolean))].join(', ');
      figures.push({ what: `${name}, by`, measured, target: 'indexes', met: !measured.includes('all of') });
    }
    return figures;
  } finally {
    await planned.close();
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

const tenths = (value: number) => `${value.toFixed(1)} ms`;

function figureOf(action: Action, [small, large]: readonly [Shop, Shop], part: number): Figure {
  // the first tenth is a warm-up
  const [before, after] = [small, large].map(({ times: taken }) =>
    percentile(taken[action].slice(Math.floor(taken[action].length / 10)), part),
  );
  if (before === undefined || after === undefined) throw new Error('two shops are compared');
  return {
    what: `${action}, p${part * 100}, at 1,000,000 orders and 200,000 customers`,
    measured: `${tenths(after)} = ${times(after / before)}`,
    against: `at 1,000 orders and 200 customers ${tenths(before)}`,
    target: `at most ${maxRatio} x`,
    met: after <= before * maxRatio,
  };
}

/** The size of a row with its indexes by table, largest first, to plan the disk space. */
async function measureRowSizes(url: string): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `select relname as name, reltuples::bigint as rows, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 10000 and relname not like 'sandbox%'
     order by pg_total_relation_size(oid) desc`,
  );
  await client.end();
  return rows.map(({ name, rows: count, bytes }) => ({
    what: `a row of ${name}, with its indexes`,
    measured: `${Math.round(Number(bytes) / Number(count))} bytes`,
    against: `${Number(count).toLocaleString('en')} rows, ${(Number(bytes) / 1024 / 1024).toFixed(0)} MB`,
  }));
}

/** Compares the actions of customers at a thousand and at a million orders, alternately, on one real PostgreSQL. */
export async function measureMany(): Promise<Figure[]> {
  const postgres = await startOwnPostgres(['shared_buffers=512MB', 'max_wal_size=8GB']);
  const opened: OpenedDatabase[] = [];
  const urlOf = (name: string) => postgres.url.replace(/shop$/, name);
  const open = async (name: string, size: typeof few) => {
    await postgres.createDatabase(name);
    return aShopWith(urlOf(name), size, opened);
  };
  try {
    const shops = [await open('few', few), await open('many', many)] as const;
    const rowSizes = await measureRowSizes(urlOf('many'));
    const names = Object.keys(rounds) as Action[]; // as: the keys of the table above
    for (const action of names) await compare(action, shops);
    const plans = await plansOf(urlOf('many'), shops[1].customers);
    const parts = [0.5, 0.99];
    const figures = names.flatMap((action) => parts.map((part) => figureOf(action, shops, part)));
    return [...figures, ...plans, ...rowSizes];
  } finally {
    for (const { close } of opened) await close();
    await postgres.stop();
  }
}
