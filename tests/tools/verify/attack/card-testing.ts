import { and, count, eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import type { SignedIn } from '#tests/builders/a-customer.ts';
import { aCard } from '#tests/builders/a-shop.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { withCaptcha, type SolvedCaptcha } from '#tests/fixtures/solve-captcha.ts';
import { assertAtMost, customersOf, formatCodes, lumen, repeated, type Flood } from './flood.ts';

interface Payment {
  readonly planId?: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly card?: (ReturnType<typeof aCard> & { readonly save?: boolean }) | undefined;
  readonly cardId?: string;
  readonly cardCode?: string;
  readonly ip?: string;
}

/** Quotes and pays, with a captcha where one is required, like an attacker's program. */
export async function pay(origin: string, { token, account }: SignedIn, { ip, planId = '101', ...wish }: Payment) {
  const { methodCode, currency } = wish;
  const quoted = { planId, methodCode, currency };
  const { quoteId } = await callShop(origin, endpoints.goodsValuation, { body: quoted }, { token, ip });
  const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
  const rest = { installments: 1, returnUrl: '/paymentResult', source: 'WEB' } as const;
  const idempotencyKey = crypto.randomUUID();
  const send = (captcha: Partial<SolvedCaptcha>) => {
    const body = { ...wish, ...rest, planId, quoteId, payer, ...captcha };
    return callShop(origin, endpoints.pay, { body }, { token, idempotencyKey, ip });
  };
  return withCaptcha(origin, { account, type: 'email' }, send, ip);
}

/** Card testing: stolen cards, security codes of a saved card, and unpaid orders by Pix; each by one customer. */
export const cardTesting: Flood = async (shop, db, say) => {
  const [cardTester, codeGuesser, pixBuyer] = customersOf(shop, 'lumen');
  if (!cardTester || !codeGuesser || !pixBuyer) throw new Error('no customers');
  const origin = lumen(shop);
  const byCard = { methodCode: 'card', currency: 'BRL' } as const;
  const charges = () => db.$count(sandboxCharges);
  const declined = ['4000000000000002', '4000000000009995', '4000000000000119', '4000000000000341'];

  const before = await charges();
  const cards = await repeated(300, (n) =>
    pay(origin, cardTester, { ...byCard, card: aCard(declined[n % declined.length]), ip: `198.18.7.${n & 255}` }),
  );
  const tried = (await charges()) - before;
  say(`300 stolen cards: ${formatCodes(cards)}; ${tried} reached the bank`);
  assertAtMost('cards that reached the bank', tried, 10);

  await pay(origin, codeGuesser, { ...byCard, card: { ...aCard(), save: true } });
  const [saved] = await db.select().from(savedCards).where(eq(savedCards.uid, codeGuesser.uid));
  const afterPurchase = await charges();
  const codes = await repeated(200, (n) =>
    pay(origin, codeGuesser, {
      ...byCard,
      cardId: saved?.cardId ?? '',
      cardCode: String(1000 + n),
      ip: `198.18.8.${n}`,
    }),
  );
  const guesses = (await charges()) - afterPurchase;
  say(`200 security codes of a saved card: ${formatCodes(codes)}; ${guesses} reached the bank`);
  assertAtMost('security codes that reached the bank', guesses, 10);

  const pix = await repeated(300, (n) =>
    pay(origin, pixBuyer, { methodCode: 'pix', currency: 'BRL', ip: `198.18.9.${n & 255}` }),
  );
  const [open] = await db
    .select({ orders: count() })
    .from(orders)
    .where(and(eq(orders.uid, pixBuyer.uid), eq(orders.status, 'PAYMENT_PENDING')));
  say(`300 orders by Pix: ${formatCodes(pix)}; ${open?.orders} are open`);
  assertAtMost('open orders', open?.orders ?? 0, 20);
};
