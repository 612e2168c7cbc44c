import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { type OpenedDatabase, isUnavailable } from '#server/db/connect.ts';
import { connectForMigrations, openPostgres } from '#server/db/open-database.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { createLog } from '#server/runtime/log.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { startSilentWire, type SilentWire } from '#tests/fixtures/silent-wire.ts';

/** No request waits longer for the database. */
const boundMs = 15_000;
/** The longest recovery after the database responds again. */
const recoveryMs = 5000;
/** The provider was never called and never will be: a definite failure. */
const notPaid = 2003;
let postgres: RunningPostgres;
let silentLink: SilentWire;
let opened: OpenedDatabase;
/** through a connection of its own, which always responds */
let separate: OpenedDatabase;
let shop: Shop;

beforeAll(async () => {
  postgres = await startPostgres({ filled: true });
  const url = new URL(postgres.url);
  silentLink = await startSilentWire(Number(url.port));
  url.port = String(silentLink.port);
  opened = await openPostgres(url.href, createLog('silent'), { contents: demoContents });
  separate = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
  shop = await aShop(opened.db);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await separate?.close();
  await silentLink?.close();
  await postgres?.stop();
});

async function timed<T>(act: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const started = performance.now();
  const answer = await act();
  return { answer, ms: performance.now() - started };
}

const ready = async () => (await shop.app.request('http://localhost/readyz')).status;

/** The time until the database responds to all customers again. */
async function recovery(customers: readonly Buyer[]): Promise<number> {
  const asked = async (one: Buyer) =>
    (await shop.request(endpoints.orders, { body: { page: 1, size: 5 } }, one)).code === 0;
  const { ms } = await timed(async () => {
    const isBack = async () => (await ready()) === 200 && (await Promise.all(customers.map(asked))).every(Boolean);
    let back = false;
    while (!back) back = await isBack();
  });
  return ms;
}

describe('while the database accepts connections without responding', { timeout: 90_000, tags: 'slow' }, () => {
  it('every request is refused as busy in time, and requests without the database succeed', async () => {
    const ana = await shop.buyer();
    const body = await ana.body();
    const { account } = ana;
    const page = { body: { page: 1, size: 5 } };
    silentLink.fallSilent();
    const asked = await Promise.all([
      timed(() => shop.request(endpoints.login, { body: { account, password: 'secret-123', type: 'email' } })),
      timed(() => shop.request(endpoints.orders, page, ana)),
      timed(() => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() })),
      timed(() =>
        shop.request(endpoints.sendVerificationCode, {
          body: { account, type: 'email', scene: 'signup', language: 'en' },
        }),
      ),
    ]);
    const [probe, plans] = [
      await timed(ready),
      await timed(() => shop.request(endpoints.listPlans, { query: { language: 'en' } })),
    ];
    silentLink.speak();
    for (const { answer, ms } of asked) {
      expect(answer).toMatchObject({ status: 503, errCode: -24040, params: { waitSeconds: 3 } });
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(ms).toBeLessThan(boundMs);
    }
    expect(probe).toMatchObject({ answer: 503 });
    // its own limit is 1.5 s; without it, it would wait as long as the requests
    expect(probe.ms).toBeLessThan(recoveryMs);
    expect(plans.answer.code).toBe(0);
    expect(await recovery([ana])).toBeLessThan(recoveryMs);
  });

  it('payments in progress are taken once, and the jobs continue', async () => {
    const buyers = await shop.buyers(12);
    const wishes = await Promise.all(
      buyers.map(async (buyer) => ({ buyer, body: await buyer.body(), idempotencyKey: crypto.randomUUID() })),
    );
    const payAll = () =>
      Promise.all(
        wishes.map(({ buyer, body, idempotencyKey }) =>
          shop.request(endpoints.pay, { body }, { ...buyer, idempotencyKey }),
        ),
      );
    const stopJobs = startJobs(shop.deps);
    const first = payAll();
    let started = 0;
    while (started < 4) started = (await separate.db.select({ id: attempts.id }).from(attempts)).length;
    silentLink.fallSilent();
    const failures = (await first).filter(({ code }) => code !== 0);
    silentLink.speak();
    expect(failures.map(({ status, errCode }) => [status, errCode])).toEqual(failures.map(() => [503, -24040]));
    expect(await recovery(buyers)).toBeLessThan(recoveryMs);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    const ends = (await payAll()).map(({ code }) => code);
    expect(ends.filter((code) => code !== 0 && code !== notPaid)).toEqual([]);
    await stopJobs();
    const books = await shop.books();
    const captured = books.ledger.filter(({ kind }) => kind === 'capture').map(({ attemptId }) => attemptId);
    const charged = books.charges.filter(({ status }) => status === 'paid').map(({ key }) => key);
    expect(captured.toSorted()).toEqual(charged.toSorted());
    expect(captured).toHaveLength(ends.filter((code) => code === 0).length);
    expect(unbalanced(books)).toEqual([]);
  });
});

describe('a database that fails', { timeout: 60_000 }, () => {
  it('ends the connection of a starting process, whose next statement is refused, and not the process', async () => {
    const client = await connectForMigrations(postgres.url);
    // while no statement runs, only an event says so, which ends a process that does not listen
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await separate.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid})`);
    await ended;
    await expect(client.query('select 1')).rejects.toSatisfy(isUnavailable);
  });

  it('cancels slow and blocked statements with a retryable error', async () => {
    const long = opened.db.execute(sql`select pg_sleep(30)`);
    const locked = opened.db.transaction(async (tx) => {
      await tx.execute(sql`lock table orders in access exclusive mode`);
      const waiting = opened.db.execute(sql`select count(*) from orders`).catch((error: unknown) => error);
      return waiting;
    });
    const [tooLong, waited] = [await timed(() => long.catch((error: unknown) => error)), await timed(() => locked)];
    expect([isUnavailable(tooLong.answer), isUnavailable(waited.answer)]).toEqual([true, true]);
    expect(tooLong.ms).toBeLessThan(10_000);
    expect(waited.ms).toBeLessThan(10_000);
  });

  it('by silence at the start of ten transactions does not exhaust the connection pool', async () => {
    const select = () => opened.db.execute(sql`select pg_sleep(0.2)`);
    const all = Array.from({ length: 10 });
    await Promise.all(all.map(select));
    silentLink.fallSilent();
    const started = await Promise.allSettled(
      all.map(() => opened.db.transaction(async (tx) => tx.execute(sql`select 1`))),
    );
    silentLink.speak();
    expect(new Set(started.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await Promise.all(all.map(select));
  });

  it('by closing a connection during a transaction breaks neither the server nor the next request', async () => {
    const ana = await shop.buyer();
    const broken = opened.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await separate.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
      );
      await tx.execute(sql`select 1`);
    });
    expect(isUnavailable(await broken.catch((error: unknown) => error))).toBe(true);
    expect(await recovery([ana])).toBeLessThan(recoveryMs);
    expect((await ana.pay()).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});
