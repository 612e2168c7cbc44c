import * as endpoints from '#contract/index.ts';
import type { SeededRandom } from './seeded-random.ts';
import { httpConnection } from './http-connection.ts';
import { buy, type Purchase, type Shopper } from './purchase.ts';
import type { ServerUnderTest } from './server-under-test.ts';
import { hostOf, type Way } from './ways.ts';

interface Crowd {
  /** the ways to pay, which are taken in turn */
  readonly proved: readonly Way[];
  readonly chance: SeededRandom;
  readonly atOnce: number;
  /** how often each one looks at a payment before they give up; 90 are a minute or less */
  readonly looks?: number;
  /** whether another purchase is begun after so many */
  readonly goesOn: (begun: number) => boolean;
}

/** Lets many people buy at the same time, each one thing after another. Resolves when the last one is done. */
export async function runBuyers(
  shop: ServerUnderTest,
  { proved, chance, atOnce, looks = 90, goesOn }: Crowd,
): Promise<Purchase[]> {
  const purchases: Purchase[] = [];
  const idle = new Map([...shop.customers].map(([brand, all]) => [brand, [...all]]));
  let begun = 0;
  const worker = async () => {
    while (goesOn(begun)) {
      const way = proved[begun % proved.length];
      const customer = way && idle.get(way.brand)?.shift();
      begun += 1;
      if (!way || !customer) throw new Error('nobody is left to buy');
      const again = chance.is(0.4)
        ? chance.pick(
            proved.filter((one) => one.brand === way.brand && one.wish.planId === way.wish.planId && isQuick(one)),
          )
        : undefined;
      const connection = httpConnection(shop.front.port, `${way.method}-${crypto.randomUUID()}`, shop.agent);
      purchases.push(await buy({ connection, customer, chance, looks, wait: sleep }, way, again));
      idle.get(way.brand)?.push(customer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return purchases;
}

/** What somebody takes whose first try has failed: nothing that is waited for. */
function isQuick({ action, ends, method }: Way): boolean {
  return action === 'pay' && ends === 'paid' && method !== 'crypto';
}

export const sleep: Shopper['wait'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the customers are told in the end: signed in, and by the token that anybody may show. */
export async function checkCustomerViews(shop: ServerUnderTest, purchases: readonly Purchase[]): Promise<void> {
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
    if (mine !== theirs) purchase.faults.push(`its owner sees ${mine}, and its token shows ${theirs}`);
  };
  for (const purchase of purchases) await look(purchase);
}
