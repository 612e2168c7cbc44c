import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as endpoints from '#contract/index.ts';
import type { Database } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { insertCustomers, type SignedIn } from '#tests/builders/a-customer.ts';
import { startBalancer, type Balancer } from '#tests/fixtures/balancer.ts';
import { startMailServer, type MailServer } from '#tests/fixtures/mail-server.ts';
import { startPgbouncer } from '#tests/fixtures/pgbouncer.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';

/** One shop with many processes on one PostgreSQL, behind a load balancer, with a mail server and a movable clock. */
export interface ShopOfMany {
  readonly processes: readonly ServerProcess[];
  readonly front: Balancer;
  readonly post: MailServer;
  readonly db: Database;
  /** the clock of the processes, in epoch milliseconds */
  now(): number;
  /** advances the clock of all processes by milliseconds */
  passTime(ms: number): Promise<void>;
  /** stops all processes except `count`, which continue to serve */
  keep(count: number): Promise<void>;
  /** kills a process and restarts it */
  kill(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts all processes at the same time, on an empty database. */
export async function openShopOfMany(count: number, { pooled = false } = {}): Promise<ShopOfMany> {
  const postgres = await startPostgres();
  const pooler = pooled ? await startPgbouncer(postgres.url) : undefined;
  const post = await startMailServer();
  const front = await startBalancer();
  const env = {
    DATABASE_URL: pooler?.url ?? postgres.url,
    SMTP_URL: post.url,
    SIGNING_SECRET: 'a secret that many processes share, long enough',
    RECONCILE_AFTER_SECONDS: '2',
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-proof-code'),
  };
  const started = Array.from({ length: count }, () => startServer({ env, movableClock: true }));
  let processes = await Promise.all(started);
  let aheadMs = 0;
  front.leadTo(processes.map(({ port }) => port));
  const { db, close } = await openPostgres(postgres.url, createLog('silent'));
  return {
    get processes() {
      return processes;
    },
    front,
    post,
    db,
    now: () => Date.now() + aheadMs,
    passTime: async (ms) => {
      aheadMs += ms;
      await Promise.all(processes.map((one) => one.passTime(ms)));
    },
    keep: async (left) => {
      const stopped = processes.slice(left);
      processes = processes.slice(0, left);
      front.leadTo(processes.map(({ port }) => port));
      await Promise.all(stopped.map((one) => one.stop()));
    },
    kill: async (index) => {
      const one = processes[index % processes.length];
      await one?.kill9();
      await one?.restart();
      await one?.passTime(aheadMs);
    },
    close: async () => {
      await Promise.all((await Promise.all(started)).map((one) => one.dispose()));
      await Promise.all([close(), front.close()]);
      await pooler?.stop();
      await Promise.all([post.stop(), postgres.stop()]);
    },
  };
}

/** Inserts customers of Lumen without a sign-up. */
export const customersOf = ({ db }: ShopOfMany, count: number) => insertCustomers(db, 'lumen', count, Date.now());

const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', phone: '11987654321' };
const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB', payer } as const;
const card = {
  number: '4242424242424242',
  expiry: '12/39',
  code: '123',
  holderFirstName: 'Ana',
  holderLastName: 'Souza',
};

/** Buys a renewing month by card with a double tap: two processes get the same request at the same time. */
export async function buyByCard({ front }: ShopOfMany, { token }: SignedIn): Promise<void> {
  const wish = { planId: '101', methodCode: 'card', currency: 'BRL' };
  const { quoteId } = await callShop(front.origin, endpoints.goodsValuation, { body: wish }, { token });
  const body = { ...wish, ...rest, quoteId, renew: true, card: { ...card, save: false } };
  const idempotencyKey = randomUUID();
  const tap = () => callShop(front.origin, endpoints.pay, { body }, { token, idempotencyKey });
  const taps = await Promise.allSettled([tap(), tap()]);
  if (!taps.some(({ status }) => status === 'fulfilled'))
    throw new Error(`the purchase failed: ${JSON.stringify(taps)}`);
}

/** Buys a month by Pix and pays it at the bank, which sends each notice twice. */
export async function buyByPix({ front }: ShopOfMany, { token }: SignedIn): Promise<void> {
  const wish = { planId: '101', methodCode: 'pix', currency: 'BRL' };
  const { quoteId } = await callShop(front.origin, endpoints.goodsValuation, { body: wish }, { token });
  const options = { token, idempotencyKey: randomUUID() };
  const { next } = await callShop(front.origin, endpoints.pay, { body: { ...wish, ...rest, quoteId } }, options);
  if (next.type !== 'qr' || next.bankUrl === undefined) throw new Error(`no code to pay: ${next.type}`);
  const pressed = await fetch(new URL(new URL(next.bankUrl, front.origin).pathname, front.origin), {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  if (pressed.status >= 400) throw new Error(`the bank answered ${pressed.status}`);
}

/** Waits until a condition is true, and then for the interval of a job, in which late effects would appear. */
export async function untilSettled(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 60_000,
): Promise<void> {
  const limit = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > limit) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await pause(100);
  }
  await pause(1500);
}
