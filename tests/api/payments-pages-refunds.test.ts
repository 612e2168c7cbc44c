import { describe, expect, it } from 'vitest';
import { requestRefund } from '#server/billing/send-refund.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { hostedPage } from '#tests/builders/page-provider-shop.ts';

const minute = 60_000;

describe.each(['useepay', 'payssion'] as const)('the hosted payment page of %s', (name) => {
  const page = hostedPage(name);
  const { anOrder, booked, endPayment, paid, post, price, wish } = page;

  /** An order that was paid at two pages: the first one stayed open when the second was requested. */
  async function paidTwice() {
    const { ana, orderId } = await anOrder();
    const first = page.provider.payments.at(-1) ?? expect.fail();
    await endPayment('expired');
    page.shop.clock.advance(1000);
    await ana.repay(orderId, wish);
    await endPayment('paid');
    page.shop.clock.advance(1000);
    expect(await endPayment('paid', first)).toBe(200);
    expect(await booked(orderId)).toEqual([...paid, ...paid]);
    return { orderId, first };
  }

  it('refunds a duplicate payment once, when the provider confirms it', async () => {
    const { orderId, first } = await paidTwice();
    expect(await refundDuplicates(page.shop.deps)).toBe(0);
    page.shop.clock.advance(10 * minute);
    expect(await refundDuplicates(page.shop.deps)).toBe(0);
    expect(page.provider.refunds).toEqual([first.id]);
    const done = page.provider.endRefund('done', first);
    expect(await post(done)).toBe(200);
    expect(await post(done)).toBe(200);
    expect(await booked(orderId)).toEqual([...paid, ...paid, `refund -${price}`]);
    page.shop.clock.advance(10 * minute);
    expect(await refundDuplicates(page.shop.deps)).toBe(0);
    expect(page.provider.refunds).toEqual([first.id]);
  });

  it('finds a refund whose answer was lost, and requests no second one', async () => {
    const { orderId, first } = await paidTwice();
    page.provider.failNext(/\/api/, 'after', /transactionType=refund|^transaction_id=/);
    await refundDuplicates(page.shop.deps);
    page.shop.clock.advance(10 * minute);
    await refundDuplicates(page.shop.deps);
    expect(page.provider.refunds.filter((id) => id === first.id)).toHaveLength(1);
    page.provider.endRefund('done', first);
    page.shop.clock.advance(10 * minute);
    expect(await refundDuplicates(page.shop.deps)).toBe(1);
    expect(await booked(orderId)).toEqual([...paid, ...paid, `refund -${price}`]);
  });

  it('reports a refund that the provider rejects permanently to the operator, without another request', async () => {
    const { orderId, statusOf } = await anOrder();
    await endPayment('paid');
    page.provider.refuseRefunds();
    const refund = await page.shop.db.transaction((tx) =>
      requestRefund(tx, page.shop.deps, { orderId }, page.shop.clock.now),
    );
    expect(refund.state).toBe('requested');
    for (let round = 0; round < 6; round += 1) {
      await refundDuplicates(page.shop.deps);
      page.shop.clock.advance(10 * minute);
    }
    expect(await statusOf()).toBe('REFUND_REJECTED');
    expect(await booked(orderId)).toEqual(paid);
    const { ledger } = await page.shop.books();
    expect(ledger.find((entry) => entry.orderId === orderId)?.giveBackAt).toBeNull();
    expect(page.logged()).toContain('a payment has to be refunded by hand');
  });
});
