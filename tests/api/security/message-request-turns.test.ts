import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/server/db/connect.ts';
import { outbox } from '../../../src/server/db/schema/outbox.ts';
import { messageRequests } from '../../../src/server/db/schema/sign-in.ts';
import { writeRequestedMessages } from '../../../src/server/jobs/write-requested-messages.ts';
import { testApp, type TestApp } from '../../builders/test-app.ts';
import { openOnPostgres } from '../../fixtures/postgres.ts';

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

  /** Requests of codes by new customers, each a millisecond after the previous one. */
  async function request(brand: string, count: number, startsAt: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, n) => ({
      id: shop.deps.random.id(),
      brand,
      kind: 'code' as const,
      account: `${brand}-${n}@example.com`,
      accountType: 'email' as const,
      language: 'en' as const,
      scene: 'signup' as const,
      code: '1234',
      createdAt: startsAt + n,
    }));
    await shop.db.insert(messageRequests).values(rows);
  }

  it('sends the codes of one brand before 500 that another brand’s visitors requested earlier', async () => {
    await request('lumen', 500, shop.clock.now - 10_000);
    await request('mego', 3, shop.clock.now - 100);
    expect(await writeRequestedMessages(shop.deps)).toBe(100);
    const recipients = (await shop.db.select().from(outbox)).map(({ recipient }) => recipient);
    const ofMego = recipients.filter((recipient) => recipient.startsWith('mego-'));
    expect(ofMego.toSorted()).toEqual(['mego-0@example.com', 'mego-1@example.com', 'mego-2@example.com']);
    // within a brand, the first is the first
    expect(recipients).toContain('lumen-0@example.com');
    expect(recipients).not.toContain('lumen-499@example.com');
  });

  it('sends all of them in the end, each once', async () => {
    await request('lumen', 150, shop.clock.now - 10_000);
    await request('mego', 120, shop.clock.now - 100);
    const done: number[] = [];
    for (let run = 0; run < 4; run += 1) done.push(await writeRequestedMessages(shop.deps));
    expect(done).toEqual([100, 100, 70, 0]);
    const recipients = (await shop.db.select().from(outbox)).map(({ recipient }) => recipient);
    expect([recipients.length, new Set(recipients).size]).toEqual([270, 270]);
  });
}

describe('on the embedded database', { timeout: 60_000 }, () => {
  brandsTakeTurns(async () => ({ close: async () => {} }));
});
describe('on PostgreSQL', { timeout: 60_000 }, () => {
  brandsTakeTurns(openOnPostgres);
});
