import { and, eq } from 'drizzle-orm';
import * as endpoints from '../../src/contract/index.ts';
import type { PaymentAnswer } from '../../src/contract/billing.ts';
import { isOpen } from '../../src/contract/order-status.ts';
import { orders } from '../../src/server/db/schema/orders.ts';
import { aCoupon, usesOf } from './a-coupon.ts';
import { aCard, byPix, type Buyer, type Shop, type Wish } from './a-shop.ts';
import { requester, type Answer, type TestApp } from './test-app.ts';

type PayAnswer = Answer<PaymentAnswer>;

/** A customer who tries to get more than one first purchase, with fifty requests at once. */
export interface Round {
  readonly says: string;
  /** answers what the requests at once were answered with */
  run(greed: Greed): Promise<PayAnswer[]>;
}

interface Greed {
  readonly buyer: Buyer;
  /** two coupons for a first purchase, that many may use */
  readonly codes: readonly [string, string];
  /** pays with each body in turns until there are so many, all at once, over all processes */
  pay(wishes: readonly Wish[], times: number): Promise<PayAnswer[]>;
  repay(orderId: string, wish: Wish, times: number): Promise<PayAnswer[]>;
}

const atOnce = 50;

export const rounds: readonly Round[] = [
  {
    says: 'one coupon in fifty tabs',
    run: ({ pay, codes: [discountCode] }) => pay([{ discountCode }], atOnce),
  },
  {
    says: 'one coupon in fifty tabs, by cards and codes to scan',
    run: ({ pay, codes: [discountCode] }) => pay([{ discountCode }, { ...byPix, discountCode }], atOnce),
  },
  {
    says: 'two coupons for a first purchase',
    run: ({ pay, codes: [one, other] }) => pay([{ discountCode: one }, { discountCode: other }], atOnce),
  },
  {
    says: 'a coupon beside purchases without one',
    run: ({ pay, codes: [discountCode] }) => pay([{ discountCode }, {}], atOnce),
  },
  {
    says: 'an order that failed, repaid beside new ones',
    run: async ({ buyer, pay, repay, codes: [discountCode] }) => {
      const declined = await buyer.pay({ discountCode, card: aCard('4000000000000002') });
      const orderId = declined.params.orderId ?? '';
      const [repaid, paid] = await Promise.all([
        repay(orderId, { discountCode }, atOnce / 2),
        pay([{ discountCode }], atOnce / 2),
      ]);
      return [...repaid, ...paid];
    },
  },
];

/** The customer's requests over several processes of one shop, which share nothing but their database. */
export async function playRound(
  shops: readonly Shop[],
  round: Round,
): Promise<{ answers: PayAnswer[]; wrong: string[] }> {
  const [shop] = shops;
  if (!shop) throw new Error('no shop');
  const [buyer] = await shop.buyers(1);
  if (!buyer) throw new Error('no buyer');
  const first = { firstPurchaseOnly: true, maxUses: 1000 };
  const codes = [await aCoupon(shop.db, first), await aCoupon(shop.db, first)] as const;
  const senders: TestApp['request'][] = shops.map(({ app }) => requester(app));
  const send = (index: number) => senders[index % senders.length] ?? shop.request;
  const key = () => ({ ...buyer, idempotencyKey: crypto.randomUUID() });
  const turns = Array.from({ length: atOnce }, (_, index) => index);
  const answers = await round.run({
    buyer,
    codes,
    pay: async (wishes, times) => {
      const bodies = await Promise.all(wishes.map((wish) => buyer.body(wish)));
      const bodyOf = (index: number) => bodies[index % bodies.length] ?? fail();
      return Promise.all(
        turns.slice(0, times).map((index) => send(index)(endpoints.pay, { body: bodyOf(index) }, key())),
      );
    },
    repay: async (orderId, wish, times) => {
      const body = { ...(await buyer.body(wish, orderId)), orderId };
      return Promise.all(turns.slice(0, times).map((index) => send(index)(endpoints.repay, { body }, key())));
    },
  });
  return { answers, wrong: await wrongOf(shop, buyer, codes, answers) };
}

/** What is wrong after a round, in words. */
async function wrongOf(
  shop: Shop,
  buyer: Buyer,
  codes: readonly string[],
  answers: readonly PayAnswer[],
): Promise<string[]> {
  const own = await shop.db
    .select()
    .from(orders)
    .where(and(eq(orders.brand, 'lumen'), eq(orders.uid, buyer.uid)));
  const uses = own.filter(({ status, discountCode }) => {
    const counts = isOpen(status) || status === 'PAYMENT_SUCCEEDED';
    return counts && discountCode !== null && codes.includes(discountCode);
  });
  const counted = await Promise.all(codes.map((code) => usesOf(shop.db, code)));
  const sum = counted.reduce<number>((all, used) => all + (used ?? 0), 0);
  const odd = answers.filter(({ code, errCode }) => code !== 0 && ![9000, 9991].includes(errCode ?? 0));
  return [
    ...(uses.length > 1 ? [`${uses.length} orders with a discount for the first purchase`] : []),
    ...(sum === uses.length ? [] : [`${sum} uses are counted and ${uses.length} are there`]),
    ...odd.map(({ errCode }) => `answered with ${errCode}`),
  ];
}

function fail(): never {
  throw new Error('no body');
}
