import * as endpoints from '#contract/index.ts';
import type { SeededRandom } from './seeded-random.ts';
import { httpConnection } from './http-connection.ts';
import { buy, type Purchase, type Shopper } from './purchase.ts';
import type { ServerUnderTest } from './server-under-test.ts';
import { hostOf, type Way } from './payment-methods.ts';

interface BuyerOptions {
  /** the payment methods, which are used in turn */
  readonly proved: readonly Way[];
  readonly chance: SeededRandom;
  readonly atOnce: number;
  /** how often a buyer polls a payment before giving up; 90 take up to a minute */
  readonly looks?: number;
  /** whether another purchase starts after `begun` purchases */
  readonly goesOn: (begun: number) => boolean | Promise<boolean>;
  /** waits for milliseconds before a retry */
  readonly wait?: Shopper['wait'];
  /** is called when the shop has accepted a payment */
  readonly accepted?: () => void;
}

/** The parts of a shop that its buyers use. */
type ShopOfBuyers = Pick<ServerUnderTest, 'agent' | 'customers'> & { readonly front: { readonly port: number } };

/** Runs concurrent buyers, each with one purchase after another. Resolves when the last one is done. */
export async function runBuyers(
  shop: ShopOfBuyers,
  { proved, chance, atOnce, looks = 90, goesOn, wait = sleep, accepted }: BuyerOptions,
): Promise<Purchase[]> {
  const purchases: Purchase[] = [];
  const idle = new Map([...shop.customers].map(([brand, all]) => [brand, [...all]]));
  let begun = 0;
  const worker = async () => {
    while (await goesOn(begun)) {
      const way = proved[begun % proved.length];
      const customer = way && idle.get(way.brand)?.shift();
      begun += 1;
      if (!way || !customer) throw new Error('there is no idle customer');
      const secondTry = chance.is(0.4)
        ? chance.pick(
            proved.filter((one) => one.brand === way.brand && one.wish.planId === way.wish.planId && isQuick(one)),
          )
        : undefined;
      const connection = httpConnection(shop.front.port, `${way.method}-${crypto.randomUUID()}`, shop.agent);
      purchases.push(await buy({ connection, customer, chance, looks, wait, accepted }, way, secondTry));
      idle.get(way.brand)?.push(customer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return purchases;
}

/** Whether a method can be used for a second try: it succeeds without waiting. */
function isQuick({ action, ends, method }: Way): boolean {
  return action === 'pay' && ends === 'paid' && method !== 'crypto';
}

export const sleep: Shopper['wait'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads the final statuses: with the customers' sessions, and by the public result tokens. */
export async function checkCustomerViews(
  shop: Pick<ServerUnderTest, 'agent'> & { readonly server: { readonly port: number } },
  purchases: readonly Purchase[],
): Promise<void> {
  const connection = httpConnection(shop.server.port, 'last-look', shop.agent);
  const look = async (purchase: Purchase) => {
    const { orderId, resultToken, customer } = purchase;
    if (orderId === undefined) return;
    const host = hostOf(customer.brand);
    const own = await connection.call(endpoints.order, { params: { id: orderId } }, { host, token: customer.token });
    if (own.ok) purchase.told.push(own.data.status);
    if (resultToken === undefined) return;
    const seen = await connection.call(endpoints.queryToken, { body: { token: resultToken } }, { host });
    const [mine, theirs] = [own.ok && own.data.status, seen.ok && seen.data.status];
    if (mine !== theirs) purchase.faults.push(`the customer sees ${mine}, but the result token shows ${theirs}`);
  };
  for (const purchase of purchases) await look(purchase);
}
