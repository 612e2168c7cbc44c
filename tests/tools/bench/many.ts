import { sql } from 'drizzle-orm';
import pg from 'pg';
import * as endpoints from '#contract/index.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { hashPassword } from '#server/auth/password.ts';
import { demoContents } from '#sandbox/demonstration.ts';
import { fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { plannedAt } from '#tests/fixtures/plans.ts';
import { startOwnPostgres } from '#tests/fixtures/postgres.ts';
import { times, type Figure } from './figures.ts';

const few = { orders: 1000, customers: 200 };
const many = { orders: 1_000_000, customers: 200_000 };
/** who buy, look and log in; each has ten orders */
const people = 90;
const rounds = { orders: 20, pay: 6, login: 3 } as const;
type Act = keyof typeof rounds;
const mostTimes = 1.3;
const password = 'a song of two rivers';

interface Person {
  readonly account: string;
  readonly token: string;
}

interface Shop {
  readonly app: TestApp;
  readonly people: readonly Person[];
  readonly took: Record<Act, number[]>;
}

async function aShopWith(url: string, size: typeof few, opened: OpenedDatabase[]): Promise<Shop> {
  const filling = await openPostgres(url, createLog('silent'), { contents: demoContents, patient: true });
  const started = performance.now();
  await fillHistory(filling.db, size.orders, testNow);
  // besides those who have bought
  await filling.db.execute(
    sql.raw(`insert into users (uid, brand, account, account_type, email, language, created_at)
      select 'more-' || n, 'lumen', 'more-' || n || '@example.com', 'email', 'more-' || n || '@example.com', 'en', ${testNow}
      from generate_series(1, ${size.customers - size.orders / 10}) n`),
  );
  await filling.db.execute(sql.raw('vacuum analyze users'));
  const found = await putPeople(filling);
  await filling.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.info(
    `${size.orders.toLocaleString('en')} orders, ${size.customers.toLocaleString('en')} customers: ${seconds} s`,
  );
  const one = await openPostgres(url, createLog('silent'), { contents: demoContents });
  opened.push(one);
  return { app: await testApp({ db: one.db }), people: found, took: { orders: [], pay: [], login: [] } };
}

async function putPeople({ db }: OpenedDatabase): Promise<Person[]> {
  const hash = await hashPassword(password, '127.0.0.1');
  const found: Person[] = [];
  for (let index = 2; index < people + 2; index += 1) {
    const [uid, token] = [`many-${index}`, `bench-token-of-${index}-that-is-long-enough`];
    await db.execute(sql`update users set password_hash = ${hash} where uid = ${uid}`);
    await db.execute(sql`insert into sessions (token_hash, brand, uid, created_at, expires_at)
      values (${tokenHash(token)}, 'lumen', ${uid}, ${testNow}, ${testNow + 86_400_000})`);
    found.push({ account: `${uid}@example.com`, token });
  }
  return found;
}

const acts: Readonly<Record<Act, (app: TestApp, person: Person) => Promise<() => Promise<unknown>>>> = {
  orders:
    async (app, { token }) =>
    () =>
      app.request(endpoints.orders, { body: { page: 1, size: 10 } }, { token }).then(({ data }) => data),
  // what is timed is the payment; its price was asked for before
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

async function actOnce(act: Act, { app, people: all, took }: Shop, index: number): Promise<void> {
  const person = all[index % all.length];
  if (!person) throw new Error('nobody is there');
  const ready = await acts[act](app, person);
  const started = performance.now();
  await ready();
  took[act].push(performance.now() - started);
}

async function compare(act: Act, shops: readonly [Shop, Shop]): Promise<void> {
  for (let index = 0; index < rounds[act] * people; index += 1) {
    // who goes first is warmer, so they take turns
    const pair = index % 2 === 0 ? shops : shops.toReversed();
    for (const shop of pair) await actOnce(act, shop, index);
  }
}

/** By which index each act finds its rows among a million; a walk through a whole table misses its target. */
async function plansOf(url: string, [person]: readonly Person[]): Promise<Figure[]> {
  if (!person) throw new Error('nobody is there');
  const planned = plannedAt(url);
  try {
    const app = await testApp({ db: planned.db });
    const large = await planned.large();
    const figures: Figure[] = [];
    for (const [name, act] of Object.entries(acts)) {
      const ways = await planned.planned(async () => (await act(app, person))());
      const used = ways.map(({ table, index }) => index ?? (large.includes(table) ? `all of ${table}` : ''));
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

function figureOf(act: Act, [small, large]: readonly [Shop, Shop], part: number): Figure {
  // the first tenth warms both up
  const [before, after] = [small, large].map(({ took }) =>
    percentile(took[act].slice(Math.floor(took[act].length / 10)), part),
  );
  if (before === undefined || after === undefined) throw new Error('two shops are compared');
  return {
    what: `${act}, p${part * 100}, at 1,000,000 orders and 200,000 customers`,
    measured: `${tenths(after)} = ${times(after / before)}`,
    against: `at 1,000 orders and 200 customers ${tenths(before)}`,
    target: `at most ${mostTimes} x`,
    met: after <= before * mostTimes,
  };
}

/** What a row weighs with its indexes, by table, the heaviest first: for whoever plans a disk. */
async function weigh(url: string): Promise<Figure[]> {
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

/** What customers do at a thousand and at a million orders, in turns, on one real PostgreSQL. */
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
    const weights = await weigh(urlOf('many'));
    // as: the keys of the table above
    for (const act of Object.keys(rounds) as Act[]) await compare(act, shops);
    const plans = await plansOf(urlOf('many'), shops[1].people);
    const parts = [0.5, 0.99];
    // as: the keys of the table above
    const figures = (Object.keys(rounds) as Act[]).flatMap((act) => parts.map((part) => figureOf(act, shops, part)));
    return [...figures, ...plans, ...weights];
  } finally {
    for (const { close } of opened) await close();
    await postgres.stop();
  }
}
