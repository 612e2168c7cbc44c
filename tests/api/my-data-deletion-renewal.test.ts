import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { processRenewal } from '#server/renewal/process-renewal.ts';
import { advanceDays, withRenewal } from '#tests/builders/a-renewal.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { accountDeletion, type User } from '#tests/builders/a-deletion.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await aShop();
});
afterEach(() => shop.close());

const dayMs = 86_400_000;
const { leave, stateOf, pay } = accountDeletion(() => shop);

describe('a renewal that is being charged when its customer requests the deletion', () => {
  /** A customer on the day of a renewal, whose charge `begin` starts. */
  async function charging(begin: (ana: User, charge: () => Promise<unknown>) => Promise<void>) {
    const ana = await shop.customer();
    await pay(ana, { renew: true });
    const eva = await withRenewal(shop, { ...(await shop.buyer()), ...ana });
    await advanceDays(shop, 28);
    shop.clock.advance(1.1 * dayMs);
    await begin(ana, () => renewDue(shop.deps));
    expect((await eva.row()).status).toBe('renewing');
    return { ana, eva };
  }
  /** Records the later calls to the bank. */
  function spyOnBank() {
    const { sandbox } = shop.deps.gateways;
    if (!sandbox?.chargeSaved) throw new Error('no bank');
    return { charge: vi.spyOn(sandbox, 'chargeSaved'), inquire: vi.spyOn(sandbox, 'inquire') };
  }
  const runJobsLater = async () => {
    shop.clock.advance(3_600_000);
    await reconcile(shop.deps);
    await renewDue(shop.deps);
  };

  it('is cancelled with its order if the bank has not been called yet, and is never charged', async () => {
    const { ana, eva } = await charging(async (one) => {
      const transaction: typeof shop.db.transaction = async (work) => {
        await shop.db.transaction(work);
        throw new Error('the process has ended');
      };
      const failingDb = Object.assign(Object.create(shop.db) as typeof shop.db, { transaction }); // as: the database of the shop with one method replaced
      await expect(processRenewal({ ...shop.deps, db: failingDb }, { brand: 'lumen', uid: one.uid })).rejects.toThrow(
        'has ended',
      );
    });
    const bank = spyOnBank();
    expect(await stateOf(ana)).toMatchObject({ renews: true, charging: false });
    await leave(ana);
    expect(await eva.charges()).toMatchObject([{ status: 'PAYMENT_CANCELLED', underReview: false }]);
    await runJobsLater();
    expect(bank.charge).not.toHaveBeenCalled();
    expect(bank.inquire).not.toHaveBeenCalled();
    expect(await eva.row()).toMatchObject({ status: 'off', orderId: null });
    expect(await eva.told()).toEqual(['notice']);
  });

  it('is reported if the bank has been called, and counts if it was paid', async () => {
    const { ana, eva } = await charging(async (_, charge) => {
      const { sandbox } = shop.deps.gateways;
      const real = sandbox?.chargeSaved;
      if (!sandbox || !real) throw new Error('no bank');
      vi.spyOn(sandbox, 'chargeSaved').mockImplementationOnce(async (wish) => {
        await real.call(sandbox, wish);
        throw new Error('the answer is lost');
      });
      await charge();
    });
    const { paid } = await eva.access();
    expect(await stateOf(ana)).toMatchObject({ charging: true });
    await leave(ana);
    expect(await stateOf(ana)).toMatchObject({ renews: false, charging: true });
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.find(({ subject }) => subject.includes('will be deleted'))?.text).toContain('can’t be cancelled');
    await runJobsLater();
    expect(await eva.charges()).toMatchObject([{ status: 'PAYMENT_SUCCEEDED' }]);
    expect(await eva.access()).toEqual({ paid: paid + 30 * dayMs, grace: null });
    expect(await eva.row()).toMatchObject({ status: 'off', nextChargeAt: null });
    expect((await stateOf(ana)).charging).toBe(false);
  });

  it('cannot be turned on again before the deletion, with its own error', async () => {
    const ana = await shop.customer();
    await pay(ana);
    await leave(ana);
    const [card] = (await shop.request(endpoints.listCard, { body: {} }, ana)).data;
    const body = { status: 'on', cardId: card?.cardId, price: { amount: 1990, currency: 'BRL' } } as const;
    expect((await shop.request(endpoints.updateRenewStatus, { body }, ana)).errCode).toBe(4599);
  });
});
