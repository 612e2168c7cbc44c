import type { InferInput } from 'valibot';
import { type OrderStatus, isOpen } from '#contract/order-status.ts';
import * as endpoints from '#contract/index.ts';
import type { SignedIn } from '#tests/builders/a-customer.ts';
import type { SeededRandom } from './seeded-random.ts';
import { numberFor, type SolvedCaptcha } from '#tests/fixtures/solve-captcha.ts';
import { Broken, type Connection } from './connection.ts';
import { performNextStep } from './payer.ts';
import { hostOf, wishOf, type Way, type Wish } from './payment-methods.ts';

type PayBody = InferInput<typeof endpoints.pay.body>;
/** The payment as it is sent: the same for every retry, because it belongs to one idempotency key. */
type Payable = Omit<Wish, 'bySavedCard'> & Pick<PayBody, 'cardId' | 'cardCode'>;

/** A purchase with the statuses that the customer saw. */
export interface Purchase {
  readonly way: Way;
  readonly customer: SignedIn;
  /** the method of a second try after a failed first one */
  repaidBy?: Way;
  orderId?: string;
  resultToken?: string;
  readonly told: OrderStatus[];
  end: 'paid' | 'unpaid' | 'waiting' | 'unknown';
  /** violations */
  readonly faults: string[];
}

/** A customer with a connection to the shop, a source of random decisions and a way to wait. */
export interface Shopper {
  readonly connection: Connection;
  readonly customer: SignedIn;
  readonly chance: SeededRandom;
  /** how often the customer polls a payment before giving up */
  readonly looks: number;
  /** waits for milliseconds of the customer's time */
  wait(ms: number): Promise<void>;
  /** is called when the shop has accepted a payment */
  readonly accepted?: (() => void) | undefined;
}

const maxTries = { sameKey: 4, reads: 100 };

/** Buys like the storefront: retries with the same key while there is no answer, then searches for the order. */
export async function buy(shopper: Shopper, way: Way, secondTry: Way | undefined): Promise<Purchase> {
  const purchase: Purchase = { way, customer: shopper.customer, told: [], end: 'unknown', faults: [] };
  try {
    const before = await ownOrderIds(shopper);
    await payWith(shopper, purchase, way, before);
    if (purchase.told.at(-1) === 'PAYMENT_FAILED' && secondTry) {
      purchase.repaidBy = secondTry;
      await payWith(shopper, purchase, secondTry, before);
    }
  } catch (error) {
    purchase.faults.push(error instanceof Error ? error.message : String(error));
  }
  return purchase;
}

async function payWith(shopper: Shopper, purchase: Purchase, way: Way, before: ReadonlySet<string>): Promise<void> {
  const wish = await withCard(shopper, wishOf(way, shopper.chance));
  await place(shopper, purchase, wish, before);
  await follow(shopper, purchase, { wish, action: way.action });
}

/** Replaces the card of a payment by saved card: by the saved card, or by a new one that is to be saved. */
async function withCard(shopper: Shopper, { bySavedCard, ...wish }: Wish): Promise<Payable> {
  if (!bySavedCard || !wish.card) return wish;
  const { connection } = shopper;
  const cards = await read(shopper, 'cards', () =>
    connection.call(endpoints.listCard, { body: {} }, optionsOf(shopper)),
  );
  const [saved] = cards.ok ? cards.data : [];
  if (!saved) return { ...wish, card: { ...wish.card, save: true } };
  const { card, ...rest } = wish;
  return { ...rest, cardId: saved.cardId, cardCode: card.code };
}

/** Retries after a lost connection, but not after an internal server error. */
async function persist<T>(
  { wait }: Pick<Shopper, 'wait'>,
  tries: number,
  send: () => Promise<T>,
): Promise<T | undefined> {
  for (let done = 0; done < tries; done += 1) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof Broken) throw error;
      await wait(Math.min(30 + done * 20, 400));
    }
  }
  return undefined;
}

async function read<T>(shopper: Shopper, what: string, send: () => Promise<T>): Promise<T> {
  const answer = await persist(shopper, maxTries.reads, send);
  if (answer === undefined) throw new Error(`${what} could not be read in ${maxTries.reads} tries`);
  return answer;
}

function optionsOf({ customer }: Shopper) {
  return { host: hostOf(customer.brand), token: customer.token };
}

async function ownOrderIds(shopper: Shopper): Promise<Set<string>> {
  const { connection } = shopper;
  const body = { page: 1, size: 50 };
  const list = await read(shopper, 'orders', () => connection.call(endpoints.orders, { body }, optionsOf(shopper)));
  return new Set(list.ok ? list.data.items.map(({ orderId }) => orderId) : []);
}

/** Pays, or repays the order of the purchase. Afterwards the order is known, or does not exist. */
async function place(shopper: Shopper, purchase: Purchase, wish: Payable, before: ReadonlySet<string>): Promise<void> {
  const { connection, customer } = shopper;
  const idempotencyKey = crypto.randomUUID();
  const options = { ...optionsOf(shopper), idempotencyKey };
  let captcha: Partial<SolvedCaptcha> = {};
  for (let round = 0; round < 4; round += 1) {
    const body = { ...(await bodyOf(shopper, purchase, wish)), ...captcha };
    const { orderId } = purchase;
    const reply = await persist(shopper, maxTries.sameKey, () =>
      orderId === undefined
        ? connection.call(endpoints.pay, { body }, options)
        : connection.call(endpoints.repay, { body: { ...body, orderId } }, options),
    );
    if (reply?.ok) {
      shopper.accepted?.();
      recordStatus(purchase, reply.data.orderId, reply.data.status);
      purchase.resultToken = reply.data.resultToken;
      return;
    }
    if (reply && reply.params.orderId !== undefined)
      return recordStatus(purchase, reply.params.orderId, 'PAYMENT_FAILED');
    if (reply?.errCode === -3035) {
      // required after three declines; a payment whose server was killed during the charge counts as one
      captcha = await solveFor(shopper);
      continue;
    }
    if (reply && reply.errCode !== 1015) throw new Error(`the payment was refused with ${reply.errCode}`);
    // the result is unknown: search for an order, and retry with the same key if there is none
    const found = [...(await ownOrderIds(shopper))].filter((id) => !before.has(id));
    if (found.length > 1) throw new Error(`one purchase of ${customer.uid} created the orders ${found.join(' and ')}`);
    if (found[0] !== undefined && orderId === undefined) return recordStatus(purchase, found[0], undefined);
  }
}

async function solveFor(shopper: Shopper): Promise<SolvedCaptcha> {
  const { connection, customer } = shopper;
  const body = { kind: 'work', account: customer.account, type: 'email' } as const;
  const puzzle = await read(shopper, 'a captcha', () =>
    connection.call(endpoints.createRandCode, { body }, optionsOf(shopper)),
  );
  if (!puzzle.ok) throw new Error(`a captcha was refused with ${puzzle.errCode}`);
  return { captchaId: puzzle.data.captchaId, captcha: numberFor(puzzle.data) };
}

async function bodyOf(shopper: Shopper, { orderId }: Purchase, wish: Payable): Promise<PayBody> {
  const { connection } = shopper;
  const { planId, methodCode, currency } = wish;
  const body = { planId, methodCode, currency, ...(orderId !== undefined && { orderId }) };
  const quote = await read(shopper, 'a quote', () =>
    connection.call(endpoints.goodsValuation, { body }, optionsOf(shopper)),
  );
  if (!quote.ok) throw new Error(`a quote was refused with ${quote.errCode}`);
  return { ...wish, quoteId: quote.data.quoteId, returnUrl: '/paymentResult', source: 'WEB' };
}

function recordStatus(purchase: Purchase, orderId: string, status: OrderStatus | undefined): void {
  if (purchase.orderId !== undefined && purchase.orderId !== orderId) {
    purchase.faults.push(`the order ${purchase.orderId} became ${orderId}`);
  }
  purchase.orderId = orderId;
  if (status !== undefined) purchase.told.push(status);
}

/** Polls the payment until it has ended, and does its next steps. */
async function follow(
  shopper: Shopper,
  purchase: Purchase,
  { wish, action }: Pick<Way, 'wish' | 'action'>,
): Promise<void> {
  const { connection, chance } = shopper;
  const { orderId } = purchase;
  if (orderId === undefined) {
    purchase.end = 'unpaid';
    return;
  }
  const { token, host } = optionsOf(shopper);
  for (let round = 0; round < shopper.looks; round += 1) {
    const info = await read(shopper, 'a payment', () =>
      connection.call(endpoints.paymentInfo, { body: { orderId } }, { token, host }),
    );
    if (!info.ok) throw new Error(`the customer's payment was refused with ${info.errCode}`);
    const { order, next, resultToken } = info.data;
    recordStatus(purchase, orderId, order.status);
    purchase.resultToken = resultToken;
    purchase.end = endOf(order.status);
    if (purchase.end !== 'unknown') return;
    if (next.type !== 'none' && action === 'leave') {
      purchase.end = 'waiting';
      return;
    }
    const payer = { connection, host, token, orderId, resultToken, wish };
    if (next.type !== 'none') await persist(shopper, 1, () => performNextStep(payer, next, action));
    await shopper.wait(Math.min(50 + round * 25, 500) * (0.5 + chance.next()));
  }
}

function endOf(status: OrderStatus): Purchase['end'] {
  if (isOpen(status)) return 'unknown';
  return status === 'PAYMENT_FAILED' || status === 'PAYMENT_CANCELLED' ? 'unpaid' : 'paid';
}
