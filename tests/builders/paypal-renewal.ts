import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { savedCards } from '#server/db/schema/cards.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sandboxPaypalOrders } from '#sandbox/schema.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { advanceDays, clearRenewals, day, renewalAttempts, withRenewal, type Renewing } from './a-renewal.ts';
import { aPaypalShop, byPaypal, pageAt, type PaypalShop } from './paypal-shop.ts';
import { unbalanced } from './unbalanced-orders.ts';

/**
 * Gives the tests of a file their own shop with PayPal, before the first of them. After the last one its books balance,
 * and no log contains the payer.
 */
export function withPaypalShop(give: (shop: PaypalShop) => void): void {
  let opened: Awaited<ReturnType<typeof openOnPostgres>>;
  let shop: PaypalShop;
  beforeAll(async () => {
    opened = await openOnPostgres();
    shop = await aPaypalShop(opened.db);
    give(shop);
  }, 120_000);
  afterEach(async () => {
    shop.spoil(undefined);
    await clearRenewals(shop);
  });
  afterAll(async () => {
    expect(shop.logged()).not.toContain('buyer@example.com');
    expect(unbalanced(await shop.books())).toEqual([]);
    await opened?.close();
  });
}

/** The path of "Create order". */
export const ordersPath = '/v2/checkout/orders';

export interface PaypalRenewing extends Renewing {
  /** the order that was bought */
  readonly orderId: string;
}

/** Buys a month with PayPal and agrees to renew it. */
export async function buyWithRenewal(shop: PaypalShop): Promise<PaypalRenewing> {
  const ana = await shop.buyer();
  const { data } = await ana.pay({ ...byPaypal, renew: true });
  await shop.press(pageAt(data.next), 'approve');
  await shop.back(data);
  return { ...(await withRenewal(shop, ana)), orderId: data.orderId };
}

/** The amounts that the renewals of a customer have taken at PayPal. */
export async function takenAtPaypal(shop: PaypalShop, ana: Renewing): Promise<number[]> {
  const keys = (await renewalAttempts(shop, ana)).map(({ id }) => id);
  const all = await shop.db.select().from(sandboxPaypalOrders);
  return all
    .filter(({ customId, status }) => keys.includes(customId) && status === 'COMPLETED')
    .map(({ amount }) => amount);
}

/** Passes the days from the purchase until the charge is due. */
export async function untilCharge(shop: PaypalShop): Promise<void> {
  await advanceDays(shop, 28.75);
  shop.clock.advance(day / 4 + 60_000);
}

export const accountsOf = ({ db }: PaypalShop, { uid }: Renewing) =>
  db.select().from(savedCards).where(eq(savedCards.uid, uid));

export async function subjectsTo({ db }: PaypalShop, { account }: Renewing): Promise<string[]> {
  const sent = await db.select().from(outbox).where(eq(outbox.recipient, account)).orderBy(outbox.createdAt);
  return sent.map(({ subject }) => subject);
}

/** A refusal by PayPal. */
export const refuses = (issue: string) => ({ instead: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] } });
