import { and, eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import { isOpen } from '#contract/order-status.ts';
import { orders } from '#server/db/schema/orders.ts';
import { someWork } from './a-captcha.ts';
import { aCoupon, usesOf } from './a-coupon.ts';
import { aCard, byPix, type Buyer, type Shop, type Wish } from './a-shop.ts';
import { requester, type Answer, type TestApp } from './test-app.ts';

type PayAnswer = Answer<PaymentAnswer>;

/** An attempt of a customer to get more than one first-purchase discount by concurrent requests. */
interface Round {
  readonly says: string;
  /** returns the answers to the concurrent requests */
  run(context: RoundContext): Promise<PayAnswer[]>;
}

interface RoundContext {
  readonly buyer: Buyer;
  /** two coupons for a first purchase with enough uses */
  readonly codes: readonly [string, string];
  /**
   * Quotes each wish first, because a first-purchase quote is refused while another order is open. Returns a function
   * that sends concurrent payments at these prices, or repayments of `orderId`, over all processes, with the wishes in
   * turn.
   */
  quote(wishes: readonly Wish[], orderId?: string): Promise<(times: number) => Promise<PayAnswer[]>>;
}

/** Below the limit of declined cards per customer and hour: each card counts as declined until its bank answers. */
const atOnce = 8;

const payAtOnce = async ({ quote }: RoundContext, wishes: readonly Wish[]) => (await quote(wishes))(atOnce);

export const rounds: readonly Round[] = [
  {
    says: 'one coupon in many tabs',
    run: (context) => payAtOnce(context, [{ discountCode: context.codes[0] }]),
  },
  {
    says: 'one coupon in many tabs, by cards and codes to scan',
    run: (context) =>
      payAtOnce(context, [{ discountCode: context.codes[0] }, { ...byPix, discountCode: context.codes[0] }]),
  },
  {
    says: 'two coupons for a first purchase',
    run: (context) => payAtOnce(context, [{ discountCode: context.codes[0] }, { discountCode: context.codes[1] }]),
  },
  {
    says: 'a coupon beside purchases without one',
    run: (context) => payAtOnce(context, [{ discountCode: context.codes[0] }, {}]),
  },
  {
    says: 'an order that failed, repaid beside new ones',
    run: async ({ buyer, quote, codes: [discountCode] }) => {
      const declined = await buyer.pay({ discountCode, card: aCard('4000000000000002') });
      const repay = await quote([{ discountCode }], declined.params.orderId ?? '');
      const pay = await quote([{ discountCode }]);
      const [repaid, paid] = await Promise.all([repay(atOnce / 2), pay(atOnce / 2)]);
      return [...repaid, ...paid];
    },
  },
];

/** Plays a round over several processes of one shop, which share only the database. */
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
    quote: async (wishes, orderId) => {
      const bodies = await Promise.all(wishes.map((wish) => buyer.body(wish, orderId)));
      const bodyOf = (index: number) => ({ ...(bodies[index % bodies.length] ?? fail()), ...someWork(shop, buyer) });
      const sendOne = (index: number) =>
        orderId === undefined
          ? send(index)(endpoints.pay, { body: bodyOf(index) }, key())
          : send(index)(endpoints.repay, { body: { ...bodyOf(index), orderId } }, key());
      return (times) => Promise.all(turns.slice(0, times).map(sendOne));
    },
  });
  return { answers, wrong: await errorsOf(shop, buyer, codes, answers) };
}

/** The errors after a round. */
async function errorsOf(
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
  const unexpected = answers.filter(({ code, errCode }) => code !== 0 && ![9000, 9991].includes(errCode ?? 0));
  return [
    ...(uses.length > 1 ? [`${uses.length} orders with a discount for the first purchase`] : []),
    ...(sum === uses.length ? [] : [`${sum} uses are counted for ${uses.length} orders`]),
    ...unexpected.map(({ errCode }) => `answered with ${errCode}`),
  ];
}

function fail(): never {
  throw new Error('no body');
}
