import { and, eq, sql } from 'drizzle-orm';
import * as v from 'valibot';
import type { Money } from '#contract/money.ts';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import {
  captured,
  failed,
  unknown,
  findAttempt,
  isLive,
  keyOfCapture,
  captureReference,
  captureSchema,
  linkOf,
  links,
  money,
  purchaseUnit,
  completed,
  savedAccount,
} from './answers.ts';
import { fromPaypal } from './currencies.ts';
import { readOrder, type PaypalDeps } from './orders.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { readPartName } from './refunds.ts';

/** A refund or a reversal; the link `up` is its capture. */
const refundedAmountSchema = v.object({
  id: v.optional(v.string()),
  status: v.optional(v.string(), ''),
  custom_id: v.optional(v.string()),
  links,
  amount: v.optional(money),
  seller_payable_breakdown: v.optional(v.object({ total_refunded_amount: v.optional(money) })),
});

const disputeSchema = v.object({
  disputed_transactions: v.pipe(
    v.array(v.object({ seller_transaction_id: v.optional(v.string()), custom: v.optional(v.string()) })),
    v.minLength(1),
  ),
  dispute_amount: v.optional(money),
  dispute_outcome: v.optional(v.object({ outcome_code: v.optional(v.string()) })),
  seller_response_due_date: v.optional(v.string()),
});

const approvedOrderSchema = v.object({ purchase_units: v.optional(v.array(purchaseUnit), []) });

export const eventSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)),
  event_type: v.string(),
  create_time: v.optional(v.string()),
  resource: v.unknown(),
});
type PaypalEvent = v.InferOutput<typeof eventSchema>;

/** The content of an event; `key` is empty for a payment of another shop. */
type EventContent = Omit<GatewayNotice, 'eventId'>;
type Stage = GatewayNotice['stage'];
type Reader = (deps: PaypalDeps, resource: unknown, now: number) => Promise<EventContent | undefined>;

const charge = (key: string, answer: GatewayAnswer): EventContent => ({ key, kind: 'charge', answer });

/**
 * An event of an order. Nothing is captured here: after an approval the payment waits for the payer's return or,
 * within a minute, for the reconcile job, which capture it.
 */
const readOrderEvent: Reader = async (_deps, resource) => {
  const { purchase_units: units } = v.parse(approvedOrderSchema, resource);
  return charge(units[0]?.custom_id ?? '', { state: 'pending' });
};

const reviewMs = 10 * 24 * 60 * 60_000;

/**
 * A payment that also saves the payer's account is read from its order, which names the account. Without a response the
 * payment stays open, and the reconcile job reads it.
 */
const readCaptureEvent: Reader = async (deps, resource, now) => {
  const capture = v.parse(captureSchema, resource);
  const key = capture.custom_id ?? '';
  const attempt = await findAttempt(deps.db, key);
  const isOpen = attempt?.saves === true && isLive(attempt) && attempt.reference.type === 'order';
  const order = isOpen && attempt.reference.type === 'order' ? await readOrder(deps, attempt.reference.id) : 'gone';
  if (!attempt || order === 'gone') return charge(key, captured(capture, now + reviewMs));
  return charge(key, order ? completed(attempt, order) : unknown);
};

/** A pending capture that was denied. */
const readDenial: Reader = async (_deps, resource) =>
  charge(v.parse(v.object({ custom_id: v.optional(v.string(), '') }), resource).custom_id, failed('cardRejected'));

/** A refund or a reversal; both name the capture. The charge itself was paid, or nothing could be returned. */
const readGivenBack =
  (kind: 'refund' | 'chargeback', stage: Stage): Reader =>
  async (deps, resource) => {
    const back = v.parse(refundedAmountSchema, resource);
    const captureId = linkOf(back, 'up')?.split('/').at(-1) ?? '';
    const own = readPartName(back.custom_id ?? '');
    const key = own?.key ?? (back.custom_id || (await keyOfCapture(deps.db, captureId)));
    if (key === undefined) return undefined;
    const told = { key, kind, stage, answer: paid(captureId) };
    const money = back.amount && fromPaypal(back.amount);
    if (kind === 'chargeback') return { ...told, disputed: await ownAmount(deps, key, money) };
    if (own && money) return { ...told, part: { amount: money.amount, number: own.number } };
    const whole = back.seller_payable_breakdown?.total_refunded_amount;
    const amount = await partOf(deps, key, money, whole && fromPaypal(whole));
    return amount === undefined ? told : { ...told, part: { amount, ref: back.id ?? `${captureId} ${amount}` } };
  };

/** The refunded amount if something of the payment is left; `all` is the total refunded so far, if known. */
async function partOf(deps: PaypalDeps, key: string, money?: Money, all = money): Promise<number | undefined> {
  const attempt = await findAttempt(deps.db, key);
  if (!money || !all || !attempt || money.currency !== attempt.currency) return undefined;
  return all.amount >= attempt.amount ? undefined : money.amount;
}

/** In minor units; undefined if it is not in the currency of the payment. */
async function ownAmount(deps: PaypalDeps, key: string, money?: Money): Promise<number | undefined> {
  const attempt = money && (await findAttempt(deps.db, key));
  return attempt?.currency === money?.currency ? money?.amount : undefined;
}

/** The outcome of a dispute for the shop (Disputes API v1, `outcome_code`). A payout is paid by PayPal. */
const outcomes: Readonly<Record<string, Stage>> = {
  RESOLVED_BUYER_FAVOUR: 'succeeded',
  ACCEPTED: 'succeeded',
  RESOLVED_SELLER_FAVOUR: 'rejected',
  RESOLVED_WITH_PAYOUT: 'rejected',
  DENIED: 'rejected',
  CANCELED_BY_BUYER: 'cancelled',
  NONE: 'cancelled',
};

const readDispute =
  (opens: boolean): Reader =>
  async (deps, resource) => {
    const {
      disputed_transactions: transactions,
      dispute_outcome: outcome,
      ...dispute
    } = v.parse(disputeSchema, resource);
    const { custom, seller_transaction_id: captureId = '' } = transactions[0] ?? {};
    const key = (await keyOfCapture(deps.db, captureId)) ?? custom;
    if (key === undefined) return undefined;
    const code = outcome?.outcome_code ?? '';
    const stage: Stage = opens ? 'opened' : Object.hasOwn(outcomes, code) ? outcomes[code] : undefined;
    if (!stage) return charge(key, paid(captureId));
    const disputed = await ownAmount(deps, key, dispute.dispute_amount && fromPaypal(dispute.dispute_amount));
    const dueBy = Date.parse(dispute.seller_response_due_date ?? '');
    const respondBy = Number.isNaN(dueBy) ? {} : { respondBy: dueBy };
    return { key, kind: 'chargeback', stage, disputed, ...respondBy, answer: paid(captureId) };
  };

const vaultedSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  metadata: v.optional(v.object({ order_id: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))) })),
  payment_source: v.optional(v.object({ paypal: v.optional(v.object({ email_address: v.optional(v.string()) })) })),
});

/**
 * An account that PayPal saved after it had answered the capture. The event names PayPal's order, and the order its
 * payment, which has to be recorded first: until then the event is refused, so that PayPal sends it again.
 */
const readSavedAccount: Reader = async (deps, resource) => {
  const { id, metadata, payment_source: source } = v.parse(vaultedSchema, resource);
  const order = metadata?.order_id === undefined ? 'gone' : await readOrder(deps, metadata.order_id);
  if (order === undefined) throw new NoticeRefused('PayPal does not answer what an account was saved for');
  const key = order === 'gone' ? '' : (order.purchase_units[0]?.custom_id ?? '');
  const attempt = await findAttempt(deps.db, key);
  if (!attempt?.saves) return undefined;
  if (isLive(attempt)) throw new NoticeRefused('the payment that saved an account is not recorded yet');
  return { ...charge(key, unknown), card: { saved: savedAccount(id, source?.paypal?.email_address) } };
};

/** The payer, or this shop, has removed a saved account. */
const readRemovedAccount: Reader = async ({ db }, resource) => {
  const { id: token } = v.parse(v.object({ id: v.string() }), resource);
  const known = await db
    .select({ token: savedCards.token })
    .from(savedCards)
    // a literal, as in `keyOfCapture`
    .where(and(sql`${savedCards.gateway} = 'paypal'`, eq(savedCards.token, token)))
    .limit(1);
  return { ...charge('', unknown), card: { removed: known.map((card) => card.token) } };
};

function paid(captureId: string): GatewayAnswer {
  return { state: 'succeeded', ...(/^[\w-]+$/.test(captureId) && { providerRef: captureReference(captureId) }) };
}

/** The events that the server handles (developer.paypal.com, "Webhook event names"). */
const readers: Readonly<Record<string, Reader>> = {
  'CHECKOUT.ORDER.APPROVED': readOrderEvent,
  'PAYMENT.CAPTURE.COMPLETED': readCaptureEvent,
  'PAYMENT.CAPTURE.PENDING': readCaptureEvent,
  'PAYMENT.CAPTURE.DENIED': readDenial,
  'PAYMENT.CAPTURE.REFUNDED': readGivenBack('refund', 'succeeded'),
  'PAYMENT.CAPTURE.REVERSED': readGivenBack('chargeback', 'succeeded'),
  'PAYMENT.REFUND.PENDING': readGivenBack('refund', 'opened'),
  'PAYMENT.REFUND.FAILED': readGivenBack('refund', 'rejected'),
  'VAULT.PAYMENT-TOKEN.CREATED': readSavedAccount,
  'VAULT.PAYMENT-TOKEN.DELETED': readRemovedAccount,
  'CUSTOMER.DISPUTE.CREATED': readDispute(true),
  'CUSTOMER.DISPUTE.RESOLVED': readDispute(false),
};

const anyKey = v.object({ custom_id: v.optional(v.string(), '') });

/** Whether an unreadable event names a payment of this shop, by its key or its capture. */
async function isOfThisShop({ db }: PaypalDeps, resource: unknown): Promise<boolean> {
  const text = JSON.stringify(resource);
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].slice(0, 5);
  const found = await Promise.all([
    ...named(/"custom(?:_id)?":"([\w -]{1,127})"/g).map(([, key = '']) =>
      findAttempt(db, readPartName(key)?.key ?? key),
    ),
    ...named(/"(?:seller_transaction_)?id":"([\w -]{1,127})"/g).map(([, capture = '']) => keyOfCapture(db, capture)),
  ]);
  return found.some((one) => one !== undefined);
}

/**
 * The notice of a verified event. Unused events are accepted without a statement about a payment. An unreadable event
 * is accepted if it is of another product on the account; about a payment of this shop it is refused, so that PayPal
 * sends it again.
 */
export async function readEvent(deps: PaypalDeps, event: PaypalEvent, now: number): Promise<GatewayNotice> {
  const { id: eventId, event_type: type, resource } = event;
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const other = v.safeParse(anyKey, resource);
  const told = await reader?.(deps, resource, now).catch(async (error: unknown) => {
    if (!v.isValiError(error)) throw error;
    deps.log.error({ eventId, type }, 'an event of PayPal cannot be read');
    if (await isOfThisShop(deps, resource)) throw new NoticeRefused('what the event is about cannot be read');
    return undefined;
  });
  const createdAt = Date.parse(event.create_time ?? '') || undefined;
  return { eventId, createdAt, ...(told ?? charge(other.success ? other.output.custom_id : '', unknown)) };
}
