import { randomUUID } from 'node:crypto';
import type { Input } from '#contract/endpoint.ts';
import { goodsValuation, pay } from '#contract/index.ts';
import { cards, type Customer } from '#tests/fixtures/customer.ts';
import { Refused } from '#tests/fixtures/shop-api.ts';

/** The payer details that Lumen requires. */
const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', phone: '11987654321' };

/** Creates an order with an unpaid Pix code. */
export async function payByPix(customer: Customer, discountCode?: string): Promise<void> {
  const purchase = { planId: '101', methodCode: 'pix', currency: 'BRL', ...(discountCode && { discountCode }) };
  await order(customer, { ...purchase, installments: 1, payer });
}

interface CardOptions {
  readonly number?: string;
  readonly firstName?: string;
  readonly installments?: number;
  readonly renew?: boolean;
}

/** Buys at Lumen with a new card. */
export function payWithCard(customer: Customer, planId: string, options: CardOptions): Promise<string> {
  const { number = cards.paid, firstName = 'Ana', installments = 1, renew = false } = options;
  const card = { number, expiry: '12/39', code: '123', holderFirstName: 'Ana', holderLastName: 'Souza' };
  return order(customer, {
    planId,
    methodCode: 'card',
    currency: 'BRL',
    installments,
    card,
    ...(renew && { renew }),
    payer: { ...payer, firstName },
  });
}

type PayBody = Input<typeof pay>['body'];

/** Places an order and returns its id, even if the payment failed. */
async function order(customer: Customer, wish: Omit<PayBody, 'quoteId' | 'returnUrl' | 'source'>): Promise<string> {
  const { planId, methodCode, currency, discountCode } = wish;
  const quoted = { planId, methodCode, currency, ...(discountCode && { discountCode }) };
  const { quoteId } = await customer.call(goodsValuation, { body: quoted });
  const body: PayBody = { ...wish, quoteId, returnUrl: '/paymentResult', source: 'WEB' };
  try {
    return (await customer.call(pay, { body }, { idempotencyKey: randomUUID() })).orderId;
  } catch (error) {
    if (error instanceof Refused && error.params.orderId !== undefined) return error.params.orderId;
    throw error;
  }
}
