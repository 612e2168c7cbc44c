import type { Stripe } from 'stripe';
import * as v from 'valibot';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { intentAnswer, sessionAnswer } from './answers.ts';
import { fromStripe } from './currencies.ts';
import { partNumber } from './refunds.ts';
import { readIntent, readSession, type StripeDeps } from './payments.ts';
import { disputeSchema, idOf, refundSchema, type Intent } from './schemas.ts';

type Stage = GatewayNotice['stage'];

/**
 * Reads an event that Stripe has signed. Events come late, twice and in any order, so what one is about is read again at
 * Stripe, and told as it stands now; a Stripe that cannot be asked sends the event again. Undefined for events that tell
 * nothing of a payment of this shop.
 */
export async function readStripeNotice(
  deps: StripeDeps,
  { headers, rawBody, now }: { headers: Headers; rawBody: string; now: number },
): Promise<GatewayNotice | undefined> {
  const event = await deps.client.readEvent(headers.get('stripe-signature') ?? '', rawBody, now);
  const read = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
  try {
    return await read?.(deps, event);
  } catch (error) {
    if (v.isValiError(error)) throw new NoticeRefused('what the event is about cannot be read');
    throw error;
  }
}

type Reader = (deps: StripeDeps, event: Stripe.Event) => Promise<GatewayNotice | undefined>;

const named = v.object({ id: v.pipe(v.string(), v.regex(/^\w{4,255}$/)) });

const readPage: Reader = async (deps, { id: eventId, data }) => {
  const { id } = v.parse(named, data.object);
  const session = answered(await readSession(deps, id));
  const key = session?.metadata?.['attempt'];
  return session && key !== undefined ? charge(eventId, key, sessionAnswer(session, deps.clock())) : undefined;
};

/** Of a payment that a page has made, a refusal is not the last word: its payer tries again there. The page tells the end. */
const readPaymentEvent: Reader = async (deps, { id: eventId, data, type }) => {
  const intent = answered(await readIntent(deps, v.parse(named, data.object).id));
  const key = intent?.metadata?.['attempt'];
  const isOfPage = intent?.metadata?.['page'] !== undefined;
  if (!intent || key === undefined || (isOfPage && type !== 'payment_intent.succeeded')) return undefined;
  return charge(eventId, key, intentAnswer(intent, deps.clock()));
};

const refundStages: Readonly<Record<string, Stage>> = {
  pending: 'opened',
  requires_action: 'opened',
  succeeded: 'succeeded',
  failed: 'rejected',
  canceled: 'cancelled',
};

/** A refund that the shop has not asked for was given in the Dashboard, whole or a part of the payment. */
const readRefund: Reader = async (deps, { data }) => {
  const refund = v.parse(refundSchema, data.object);
  const { id, status, payment_intent: payment, metadata } = refund;
  const intent = await paidIntent(deps, payment);
  const key = intent?.metadata?.['attempt'];
  if (!intent || key === undefined) return undefined;
  const eventId = `${id} ${status}`;
  const stage = refundStages[status ?? ''];
  if (!stage) return charge(eventId, key, paid(intent));
  const notice = { eventId, key, kind: 'refund', stage, answer: paid(intent) } as const;
  const { amount } = fromStripe({ amount: refund.amount, currency: intent.currency });
  const number = partNumber(refund);
  if (number !== undefined) return { ...notice, part: { amount, number } };
  const isWhole = refund.amount >= intent.amount || metadata?.['attempt'] !== undefined;
  return isWhole ? notice : { ...notice, part: { amount, ref: id } };
};

/**
 * How a dispute stands, seen from the shop (docs.stripe.com/disputes/how-disputes-work). An inquiry (`warning_...`) has
 * taken no money, and one that is prevented has been given back as a refund, which is told as such.
 */
const disputeStages: Readonly<Record<string, Stage>> = {
  needs_response: 'opened',
  under_review: 'opened',
  won: 'rejected',
  lost: 'succeeded',
};

const readDispute: Reader = async (deps, { data }) => {
  const { id, status, payment_intent: payment, amount } = v.parse(disputeSchema, data.object);
  const intent = await paidIntent(deps, payment);
  const key = intent?.metadata?.['attempt'];
  if (!intent || key === undefined) return undefined;
  const eventId = `${id} ${status}`;
  const stage = Object.hasOwn(disputeStages, status) ? disputeStages[status] : undefined;
  if (!stage) return charge(eventId, key, paid(intent));
  const disputed = { ...fromStripe({ amount, currency: intent.currency }), ref: id };
  const part = amount < intent.amount ? { part: disputed } : {};
  return { eventId, key, kind: 'chargeback', stage, ...part, answer: paid(intent) };
};

async function paidIntent(deps: StripeDeps, named: Parameters<typeof idOf>[0]): Promise<Intent | undefined> {
  const id = idOf(named);
  return id === undefined ? undefined : answered(await readIntent(deps, id));
}

/** Whose money goes back has paid. */
const paid = (intent: Intent): GatewayAnswer => ({ state: 'succeeded', providerRef: intent.id, ...fromStripe(intent) });

const charge = (eventId: string, key: string, answer: GatewayAnswer): GatewayNotice => ({
  eventId,
  key,
  kind: 'charge',
  answer,
});

/** What is gone was never this shop's; what is not answered is sent again. */
function answered<Body>(read: Body | 'gone' | undefined): Body | undefined {
  if (read === undefined) throw new NoticeRefused('Stripe could not be asked what it is about');
  return read === 'gone' ? undefined : read;
}

/** The events that the shop listens to (docs.stripe.com/api/events/types). */
const readers: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': readPage,
  'checkout.session.async_payment_succeeded': readPage,
  'checkout.session.async_payment_failed': readPage,
  'checkout.session.expired': readPage,
  'payment_intent.succeeded': readPaymentEvent,
  'payment_intent.processing': readPaymentEvent,
  'payment_intent.payment_failed': readPaymentEvent,
  'payment_intent.canceled': readPaymentEvent,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.closed': readDispute,
};
