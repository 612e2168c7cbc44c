import * as v from 'valibot';
import type { GatewayAnswer } from '../gateway.ts';
import { failed, unknown, type StripeAttempt } from './answers.ts';
import { toStripe } from './currencies.ts';
import { readPayment, type StripeDeps } from './payments.ts';
import { listOf } from './schemas.ts';

/**
 * Stripe answers a repeated Idempotency-Key as it answered the first request, and refuses a different request with a
 * used key (docs.stripe.com/api/idempotent_requests). So an unused key is closed by using it for a payment of the same
 * amount that is not confirmed and cancelled at once. If the lost request arrives later, it is refused. If it arrived
 * before, ours is refused, and its payment is found in Stripe's lists, which never lag behind, unlike its search.
 *
 * Stripe forgets keys after a day. For older keys the lists alone decide.
 */
const keyKeptMs = 23 * 60 * 60_000;

/** The outcome of an attempt whose response was lost. */
export async function findLostPayment(deps: StripeDeps, attempt: StripeAttempt): Promise<GatewayAnswer> {
  // a page that only saves a card charges nothing, and the customer was never redirected to it
  if (attempt.amount === 0) return failed('paymentFailed');
  if (deps.clock() - attempt.createdAt < keyKeptMs) {
    const spent = await consumeKey(deps, attempt);
    if (spent !== 'before') return spent === 'now' ? failed('paymentFailed') : unknown;
  }
  // a payment on a page has the page's ID, and is read by it
  const found = (await findListed(deps, attempt, 'pages')) ?? (await findListed(deps, attempt, 'payments'));
  if (found === 'unasked') return unknown;
  return found === undefined ? failed('paymentFailed') : readPayment(deps, found);
}

/**
 * Whether the key was used just now by this call, or possibly before by the lost request; undefined without a
 * response.
 */
async function consumeKey(
  { client }: StripeDeps,
  { key, amount, currency }: StripeAttempt,
): Promise<'now' | 'before' | undefined> {
  const counted = toStripe({ amount, currency });
  if (!counted) return 'now';
  const params = { ...counted, allowed_payment_method_types: ['card'], metadata: { closes: key } };
  const spent = await client.send((api) => api.paymentIntents.create(params, { idempotencyKey: key }), namedSchema);
  if (!spent) return undefined;
  // also if Stripe refuses such a payment as invalid, which does not use the key: then the lists decide
  if (spent.kind === 'refused') return 'before';
  const { id } = spent.body;
  await client.send((api) => api.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }), namedSchema);
  return 'now';
}

const namedSchema = v.object({ id: v.string(), metadata: v.optional(v.nullable(v.record(v.string(), v.string()))) });

/** How long after its attempt a request can be sent, in seconds; a renewal may be repeated for a day. */
const sentWithin = { byHand: 10 * 60, bySavedCard: 25 * 60 * 60 };
/** Tolerance for clock differences, in seconds. */
const slack = 5 * 60;
/** Pages of a hundred payments each. If there are more, the attempt is inquired about again later. */
const mostPages = 20;

async function findListed(
  { client, clock, log }: StripeDeps,
  { key, cardId, createdAt }: StripeAttempt,
  what: 'pages' | 'payments',
): Promise<string | undefined> {
  const from = Math.floor(createdAt / 1000);
  const until = from + (cardId === null ? sentWithin.byHand : sentWithin.bySavedCard);
  const created = { gte: from - slack, lte: Math.min(until, Math.floor(clock() / 1000)) + slack };
  let after: { starting_after: string } | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const asked = { created, limit: 100, ...after };
    const listed = await client.send(
      ({ checkout, paymentIntents }) => (what === 'pages' ? checkout.sessions : paymentIntents).list(asked),
      listOf(namedSchema),
    );
    if (listed?.kind !== 'done') return 'unasked';
    const { data, has_more: hasMore } = listed.body;
    const found = data.find(({ metadata }) => metadata?.['attempt'] === key);
    if (found) return found.id;
    const last = data.at(-1);
    if (!hasMore || !last) return undefined;
    after = { starting_after: last.id };
  }
  log.error({ attemptId: key }, 'Stripe lists too many payments to find one among them');
  return 'unasked';
}
