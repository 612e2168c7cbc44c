import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { plannedPostgres, type PlannedDatabase } from '#tests/fixtures/plans.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

/** Requests of codes by new customers, each a millisecond after the previous one. */
async function requestCodes(shop: TestApp, brand: string, count: number, startsAt: number): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - done) }, (_, n) => ({
      id: shop.deps.random.id(),
      brand,
      kind: 'code' as const,
      account: `${brand}-${done + n}@example.com`,
      accountType: 'email' as const,
      language: 'en' as const,
      scene: 'signup' as const,
      code: '1234',
      createdAt: startsAt + done + n,
    }));
    await shop.db.insert(messageRequests).values(rows);
  }
}

function brandsTakeTurns(open: () => Promise<{ db?: Database; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let shop: TestApp;
  beforeAll(async () => {
    opened = await open();
    shop = await testApp({ ...(opened.db && { db: opened.db }) });
  }, 120_000);
  afterAll(async () => {
    await shop.close();
    await opened.close();
  });
  beforeEach(async () => {
    await shop.db.delete(messageRequests);
    await shop.db.delete(outbox);
  });

  const request = (...of: [brand: string, count: number, startsAt: number]) => requestCodes(shop, ...of);

  it('sends the codes of one brand before 500 earlier ones of another brand', async () => {
    await request('lumen', 500, shop.clock.now - 10_000);
    await request('mego', 3, shop.clock.now - 100);
    expect(await writeRequestedMessages(shop.deps)).toBe(100);
    const recipients = (await shop.db.select().from(outbox)).map(({ recipient }) => recipient);
    const ofMego = recipients.filter((recipient) => recipient.startsWith('mego-'));
    expect(ofMego.toSorted()).toEqual(['mego-0@example.com', 'mego-1@example.com', 'mego-2@example.com']);
    // within a brand, the oldest come first
    expect(recipients).toContain('lumen-0@example.com');
    expect(recipients).not.toContain('lumen-499@example.com');
  });

  it('sends each code once', async () => {
    await request('lumen', 150, shop.clock.now - 10_000);
    await request('mego', 120, shop.clock.now - 100);
    const done: number[] = [];
    for (let run = 0; run < 4; run += 1) done.push(await writeRequestedMessages(shop.deps));
    expect(done).toEqual([100, 100, 70, 0]);
    const recipients = (await shop.db.select().from(outbox)).map(({ recipient }) => recipient);
    expect([recipients.length, new Set(recipients).size]).toEqual([270, 270]);
  });
}

describe('message requests on the embedded database', { timeout: 60_000 }, () => {
  brandsTakeTurns(async () => ({ close: async () => {} }));
});
describe('message requests on PostgreSQL', { timeout: 60_000 }, () => {
  brandsTakeTurns(openOnPostgres);
});

describe('a flood of message requests on PostgreSQL', { timeout: 60_000, tags: 'slow' }, () => {
  let opened: PlannedDatabase;
  beforeAll(async () => {
    opened = await plannedPostgres();
  }, 120_000);
  afterAll(() => opened.close());

  it('is read by its index, with one step per brand and no more rows than are written', async () => {
    const shop = await testApp({ db: opened.db });
    await requestCodes(shop, 'lumen', 20_000, shop.clock.now - 60_000);
    await requestCodes(shop, 'mego', 3, shop.clock.now - 100);
    await shop.db.execute(sql`analyze message_requests`);
    const plans = await opened.planned(() => writeRequestedMessages(shop.deps));
    const ofRequests = plans.filter(({ table }) => table === 'message_requests');
    expect(ofRequests.filter(({ index }) => index === undefined)).toEqual([]);
    const turns = ofRequests.filter(({ statement }) => statement.includes('row_number'));
    expect(new Set(turns.map(({ index }) => index))).toEqual(new Set(['message_requests_turn']));
    await shop.close();
  });
});
