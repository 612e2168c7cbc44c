import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import type { PartialRefund } from '#server/payments/terms.ts';
import { startOperatorDemo, type OperatorDemo } from './an-operator-demo.ts';
import { unbalanced } from './unbalanced-orders.ts';
import type { Wish } from './a-shop.ts';
import type { Database } from '#server/db/connect.ts';

type Bank = NonNullable<PaymentGateway['refundPart']>;

/** Gives the tests of a file a demo whose operator and provider refund parts of payments, and checks its books. */
export function partialRefunds() {
  let operator: OperatorDemo;
  const desk = {
    get operator() {
      return operator;
    },
    /** replaces the request to the bank in one test */
    intercept: undefined as ((part: PartialRefund, bank: Bank) => ReturnType<Bank>) | undefined,
    /** the requests to the bank of this test */
    requested: [] as PartialRefund[],
    /** runs `orders refund` for a part of an order */
    part: (orderId: string, amount: string, ...more: string[]) =>
      operator.run('orders', 'refund', orderId, `--amount=${amount}`, reason, ...more),
    aPaidOrder: async (wish: Wish = {}) => {
      const buyer = await operator.shop.buyer();
      const { orderId } = (await buyer.pay(wish)).data;
      const [attempt] = await operator.shop.db.select().from(attempts).where(eq(attempts.orderId, orderId));
      return { buyer, orderId, key: attempt?.id ?? '' };
    },
    stateOf: (orderId: string) => stateOf(operator.shop.db, orderId),
  };
  beforeAll(async () => {
    operator = await startOperatorDemo({
      deps: ({ gateways }) => {
        const { sandbox } = gateways;
        if (!sandbox?.refundPart) throw new Error('no sandbox');
        const bank: Bank = sandbox.refundPart;
        const refundPart: Bank = async (part) => {
          desk.requested.push(part);
          return desk.intercept ? desk.intercept(part, bank) : bank(part);
        };
        return { gateways: { ...gateways, sandbox: { ...sandbox, refundPart } } };
      },
    });
  }, 60_000);
  afterAll(() => operator?.close());
  afterEach(async () => {
    desk.intercept = undefined;
    desk.requested.length = 0;
    expect(unbalanced(await operator.shop.books())).toEqual([]);
  });
  return desk;
}

export const reason = '--why=ticket 7';
export const month = 30 * 86_400_000;

async function stateOf(db: Database, orderId: string) {
  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  const books = await db.select().from(ledger).where(eq(ledger.orderId, orderId)).orderBy(asc(ledger.kind));
  const parts = await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds.number));
  return {
    status: order?.status,
    refunded: order?.refunded,
    books: books.map(({ kind, amount }) => `${kind} ${amount}`),
    parts: parts.map(({ state, amount }) => `${state} ${amount}`),
  };
}
