import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions } from '#server/db/schema/users.ts';
import type { OptionValues } from '#server/operator/command.ts';
import { correctRestoredRows } from '#server/operator/restored-rows.ts';
import { heldRenewalsCommand, releaseRenewalsCommand } from '#server/operator/renewals.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aRenewing, day, advanceDays, type Renewing } from '#tests/builders/a-renewal.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const restore = () => shop.db.transaction((tx) => correctRestoredRows(tx, shop.clock.now));

/** Runs an operator command and returns the facts that it reports. */
async function runCommand(command: typeof heldRenewalsCommand, given: OptionValues) {
  const reported: Record<string, unknown>[] = [];
  const row = (facts: object) => void reported.push({ ...facts });
  const say = { row, show: row, done: (_: string, facts: object) => row(facts), print: () => {}, explain: () => {} };
  const { deps } = shop;
  await command.inShop(given, { ...say, json: true, deps, settings: deps.env, clock: deps.clock });
  return reported;
}
const release = () => runCommand(releaseRenewalsCommand, { brand: 'lumen', all: 'true', why: 'looked', by: 'eva' });

const capturesOf = async ({ uid }: Renewing) => {
  const of = eq(attempts.id, ledger.attemptId);
  const rows = await shop.db.select({ uid: attempts.uid }).from(ledger).innerJoin(attempts, of);
  return rows.filter((one) => one.uid === uid).length;
};

describe('a renewal that was due between a backup and its restore', () => {
  it('is looked up at the provider, not announced, and charged after an operator has released it', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 23);
    expect(await ana.told()).toEqual(['notice']);
    // its due date passes while the server is down
    shop.clock.advance(8 * day);
    expect(await restore()).toMatchObject({ heldRenewals: 1 });
    expect(await release()).toMatchObject([{ released: 0, left: 1 }]);
    for (let minute = 0; minute < 8; minute += 1) {
      await renewDue(shop.deps);
      shop.clock.advance(2 * 60_000);
    }
    expect(await capturesOf(ana)).toBe(1);
    // the earlier notice was deleted, and no decline is reported
    expect(await ana.told()).toEqual([]);
    expect((await ana.access()).grace).toBeGreaterThan(shop.clock.now + 6 * day);
    const [suspended] = await runCommand(heldRenewalsCommand, {});
    expect(suspended).toMatchObject({ account: ana.account, asking: false });
    // the first attempt, and the one a day after a decline
    expect(String(suspended?.['keys']).split(' ')).toHaveLength(2);
    await advanceDays(shop, 2);
    expect(await capturesOf(ana)).toBe(1);
    expect(await release()).toMatchObject([{ released: 1, left: 0 }]);
    await advanceDays(shop, 0.5);
    expect(await ana.told()).toEqual(['notice']);
    expect(await capturesOf(ana)).toBe(1);
    await advanceDays(shop, 1);
    expect(await capturesOf(ana)).toBe(2);
    expect(await ana.row()).toMatchObject({ status: 'on', heldUntil: null });
    await advanceDays(shop, 5);
    expect(await capturesOf(ana)).toBe(2);
  });

  it('can be turned off while it is suspended, and is never charged then', async () => {
    const ben = await aRenewing(shop);
    await advanceDays(shop, 23);
    shop.clock.advance(8 * day);
    const before = await shop.db.select().from(sessions).where(eq(sessions.uid, ben.uid));
    await restore();
    await shop.db.insert(sessions).values(before);
    const off = await shop.request(endpoints.updateRenewStatus, { body: { status: 'off' } }, ben);
    expect(off.data.status).toBe('off');
    await advanceDays(shop, 3);
    expect(await capturesOf(ben)).toBe(1);
  });
});

describe('a restore', () => {
  it('announces a later charge again, and does not send messages from before the backup', async () => {
    const ana = await aRenewing(shop);
    await advanceDays(shop, 23);
    expect(await ana.told()).toEqual(['notice']);
    await restore();
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.every(({ text, tries }) => text === '' && tries > 0)).toBe(true);
    await advanceDays(shop, 0.5);
    // the first notice was emptied
    expect(await ana.told()).toEqual(['notice']);
    await advanceDays(shop, 6);
    expect(await capturesOf(ana)).toBe(2);
  });
});
