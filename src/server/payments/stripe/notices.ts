import * as v from 'valibot';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { intentAnswer, sessionAnswer, unknown, findAttempt } from './answers.ts';
import type { StripeEvent } from './client.ts';
import { fromStripe } from './currencies.ts';
import { partNumber } from './refunds.ts';
import type { StripeDeps } from './payments.ts';
import { intentExpand, sessionExpand } from './requests.ts';
import { disputeSchema, eventRefundSchema, idOf, intentSchema, sessionSchema, type Intent } from './schemas.ts';

type Stage = GatewayNotice['stage'];

/**
 * Reads a signed event of Stripe. Events come late, twice and in any order, so the object is fetched again and its
 * current state returned; if Stripe cannot be reached, it sends the event again. Undefined for events that change
 * nothing. Other products on the same account cause events about objects of any kind and status, which are accepted.
 */
export async function readStripeNotice(
  deps: StripeDeps,
  { headers, rawBody, now }: { headers: Headers; rawBody: string; now: number },
): Promise<GatewayNotice | undefined> {
  const event = await deps.client.readEvent(headers.get('stripe-signature') ?? '', rawBody, now);
  const read = event && Object.hasOwn(readers, event.type) ? readers[event.type] : undefined;
  const notice = event && (await read?.(deps, event));
  return notice && { ...notice, createdAt: event.created && event.created * 1000 };
}

/** An event about nothing of this shop: the caller logs and counts it. */
const foreign = (eventId: string): GatewayNotice => charge(eventId, '', unknown);

type Reader = (deps: StripeDeps, event: StripeEvent) => Promise<GatewayNotice | undefined>;

const named = v.object({ id: v.pipe(v.string(), v.regex(/^\w{4,255}$/)) });

function parsed<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> | undefined {
  const { success, output } = v.safeParse(schema, value);
  return success ? output : undefined;
}

const readPage: Reader = async (deps, { id: eventId, data }) => {
  const owned = await readOwned(deps, 'pages', parsed(named, data.object));
  if (!owned) return foreign(eventId);
  const session = parsed(sessionSchema, owned.body);
  return charge(eventId, owned.key, session ? sessionAnswer(session, deps.clock()) : unreadable(deps, owned.key));
};

/** A decline of a payment on a page is not final, because the payer can retry there. The page reports the end. */
const readPaymentEvent: Reader = async (deps, { id: eventId, data, type }) => {
  const owned = await readOwned(deps, 'payments', parsed(named, data.object));
  if (!owned) return foreign(eventId);
  if (owned.isOfPage && type !== 'payment_intent.succeeded') return undefined;
  const intent = parsed(intentSchema, owned.body);
  return charge(eventId, owned.key, intent ? intentAnswer(intent, deps.clock()) : unreadable(deps, owned.key));
};

/** Refusing the event would not make it readable; the reconcile job settles the payment. */
function unreadable({ log }: StripeDeps, attemptId: string): GatewayAnswer {
  log.error({ attemptId }, 'Stripe states something about a payment that cannot be read');
  return unknown;
}

const refundStages: Readonly<Record<string, Stage>> = {
  pending: 'opened',
  requires_action: 'opened',
  succeeded: 'succeeded',
  failed: 'rejected',
  canceled: 'cancelled',
};

/** A refund that the server did not request was made in the Dashboard, for the whole payment or a part. */
const readRefund: Reader = async (deps, event) => {
  const owned = await readReversed(deps, event, eventRefundSchema);
  if (!owned) return foreign(event.id);
  const { key, intent, stated: refund } = owned;
  const { id, status, metadata } = refund;
  const eventId = `${id} ${status}`;
  const stage = Object.hasOwn(refundStages, status ?? '') ? refundStages[status ?? ''] : undefined;
  if (!stage) return charge(eventId, key, paid(intent));
  const notice = { eventId, key, kind: 'refund', stage, answer: paid(intent) } as const;
  const { amount } = fromStripe({ amount: refund.amount, currency: intent.currency });
  const number = partNumber(refund);
  if (number !== undefined) return { ...notice, part: { amount, number } };
  const isWhole = refund.amount >= intent.amount || metadata?.['attempt'] !== undefined;
  return isWhole ? notice : { ...notice, part: { amount, ref: id } };
};

/**
 * The outcome of a dispute for the shop (docs.stripe.com/disputes/how-disputes-work). An inquiry (`warning_...`) took
 * no money, and a prevented dispute is a refund, which has its own event.
 */
const disputeStages: Readonly<Record<string, Stage>> = {
  needs_response: 'opened',
  under_review: 'opened',
  won: 'rejected',
  lost: 'succeeded',
};

const readDispute: Reader = async (deps, event) => {
  const owned = await readReversed(deps, event, disputeSchema);
  if (!owned) return foreign(event.id);
  const { key, intent, stated } = owned;
  const { id, status, amount } = stated;
  const eventId = `${id} ${status}`;
  const stage = Object.hasOwn(disputeStages, status) ? disputeStages[status] : undefined;
  if (!stage) return charge(eventId, key, paid(intent));
  const disputed = fromStripe({ amount, currency: intent.currency }).amount;
  const dueBy = stated.evidence_details?.due_by;
  const respondBy = dueBy ? { respondBy: dueBy * 1000 } : {};
  return { eventId, key, kind: 'chargeback', stage, disputed, ...respondBy, answer: paid(intent) };
};

type Paid = Pick<Intent, 'id' | 'amount' | 'currency'>;
const paidSchema = v.pick(intentSchema, ['id', 'amount', 'currency']);

const reversedSchema = v.looseObject({ payment_intent: v.union([v.string(), v.looseObject({ id: v.string() })]) });

/**
 * What a refund or a dispute states, and its payment in whatever status. Undefined for a payment of another shop. An
 * unreadable event about a payment of this shop is refused, because no job would find what happened.
 */
async function readReversed<Schema extends v.GenericSchema>(
  deps: StripeDeps,
  { id: eventId, data }: StripeEvent,
  schema: Schema,
): Promise<{ key: string; intent: Paid; stated: v.InferOutput<Schema> } | undefined> {
  const object = parsed(named, { id: idOf(parsed(reversedSchema, data.object)?.payment_intent) });
  const owned = await readOwned(deps, 'payments', object);
  if (!owned) return undefined;
  const { key } = owned;
  const intent = parsed(paidSchema, owned.body);
  const stated = parsed(schema, data.object);
  if (intent && stated !== undefined) return { key, intent, stated };
  // another installation on the same account writes its attempts in the same way
  if (!(await findAttempt(deps.db, key))) return undefined;
  deps.log.error({ attemptId: key, eventId }, 'an event of Stripe about a refund or a dispute cannot be read');
  throw new NoticeRefused('what the event states about a payment cannot be read');
}

/** A payment that is refunded or disputed has succeeded. */
const paid = (intent: Paid): GatewayAnswer => ({ state: 'succeeded', providerRef: intent.id, ...fromStripe(intent) });

const charge = (eventId: string, key: string, answer: GatewayAnswer): GatewayNotice => ({
  eventId,
  key,
  kind: 'charge',
  answer,
});

interface Owned {
  /** the attempt in its metadata */
  readonly key: string;
  readonly isOfPage: boolean;
  readonly body: unknown;
}

/**
 * A page or a payment of this shop in its current state, checked before anything else is read. Undefined for an object
 * that is deleted or of another product. Throws `NoticeRefused` if Stripe cannot be reached.
 */
async function readOwned(
  { client }: StripeDeps,
  what: 'pages' | 'payments',
  object: { readonly id: string } | undefined,
): Promise<Owned | undefined> {
  if (!object) return undefined;
  const { id } = object;
  const answer = await client.send(
    ({ checkout, paymentIntents }) =>
      what === 'pages'
        ? checkout.sessions.retrieve(id, { expand: sessionExpand })
        : paymentIntents.retrieve(id, { expand: intentExpand }),
    v.looseObject({ id: v.literal(id), metadata: v.fallback(tags, null) }),
  );
  if (answer?.kind === 'refused' && answer.isMissing) return undefined;
  if (answer?.kind !== 'done') throw new NoticeRefused('Stripe could not be queried about the event');
  const { metadata } = answer.body;
  const key = metadata?.['attempt'];
  return key === undefined ? undefined : { key, isOfPage: metadata?.['page'] !== undefined, body: answer.body };
}

const tags = v.nullable(v.record(v.string(), v.string()));

/** The events that the server handles (docs.stripe.com/api/events/types). */
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
