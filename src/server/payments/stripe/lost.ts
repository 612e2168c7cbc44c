import * as v from 'valibot';
import type { GatewayAnswer } from '../gateway.ts';
import { failed, unknown } from './answers.ts';
import { toStripe } from './currencies.ts';
import type { StripeAttempt } from './find-attempt.ts';
import { readPayment, type StripeDeps } from './payments.ts';
import { listOf } from './schemas.ts';

/**
 * [Note: Stripe keys] Stripe answers a request that repeats an Idempotency-Key as it answered the first one, and refuses
 * another request with a key that is spent (docs.stripe.com/api/idempotent_requests). So a key that Stripe never saw is
 * closed by spending it: on a payment of the same amount that is not confirmed, and cancelled at once. If the lost request
 * still comes, it is refused; and if it came before, our own is, and what it made is looked for in Stripe's lists, which,
 * unlike its search, are never behind.
 *
 * Stripe forgets keys after a day. Nothing is concluded from a key that may be forgotten: then the lists alone decide.
 */
const keyKeptMs = 23 * 60 * 60_000;

/** What has become of a try whose answer was lost. */
export async function findLost(deps: StripeDeps, attempt: StripeAttempt): Promise<GatewayAnswer> {
  // a page that only keeps a card charges nobody, and no one was led to it
  if (attempt.amount === 0) return failed('paymentFailed');
  if (deps.clock() - attempt.createdAt < keyKeptMs) {
    const spent = await spendKey(deps, attempt);
    if (spent !== 'before') return spent === 'now' ? failed('paymentFailed') : unknown;
  }
  // a payment by a page has the page's name, and is looked at by it
  const found = (await findListed(deps, attempt, 'pages')) ?? (await findListed(deps, attempt, 'payments'));
  if (found === 'unasked') return unknown;
  return found === undefined ? failed('paymentFailed') : readPayment(deps, found);
}

/** Whether the key was spent just now, by us, or may have been before, by the request that got lost; undefined for no answer. */
async function spendKey(
  { client }: StripeDeps,
  { key, amount, currency }: StripeAttempt,
): Promise<'now' | 'before' | undefined> {
  const counted = toStripe({ amount, currency });
  if (!counted) return 'now';
  const params = { ...counted, allowed_payment_method_types: ['card'], metadata: { closes: key } };
  const spent = await client.ask((api) => api.paymentIntents.create(params, { idempotencyKey: key }), namedSchema);
  if (!spent) return undefined;
  // also where Stripe would not have such a payment at all, which spends no key: then the lists tell
  if (spent.kind === 'refused') return 'before';
  const { id } = spent.body;
  await client.ask((api) => api.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }), namedSchema);
  return 'now';
}

const namedSchema = v.object({ id: v.string(), metadata: v.optional(v.nullable(v.record(v.string(), v.string()))) });

/** A request is sent within this of its attempt, in seconds; a renewal's may be sent again for a day. */
const sentWithin = { byHand: 10 * 60, bySavedCard: 25 * 60 * 60 };
/** Clocks differ, in seconds. */
const slack = 5 * 60;
/** A hundred each: more than twenty tries in ten minutes, and what was lost among them is asked about again later. */
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
    const listed = await client.ask(
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
