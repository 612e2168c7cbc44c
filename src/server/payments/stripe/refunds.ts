import type * as v from 'valibot';
import type { PartialRefund, RefundAnswer } from '../terms.ts';
import { toStripe } from './currencies.ts';
import type { StripeAttempt } from './find-attempt.ts';
import { paymentOf, type StripeDeps } from './payments.ts';
import { listOf, refundSchema } from './schemas.ts';

/**
 * Gives back all that is left of a payment, which is what Stripe gives where no amount is named. Each try has a key of its own, by how many have failed before: repeated after a lost answer
 * it is the same refund, and after one that its bank sent back it is another. Stripe gives no more back than it took, also
 * when it has forgotten the key: a second refund is refused with `charge_already_refunded`.
 */
export async function refundPayment(deps: StripeDeps, attempt: StripeAttempt): Promise<boolean> {
  const { client, log } = deps;
  const payment = await paymentOf(deps, attempt);
  if (payment === undefined) return false;
  const known = await client.ask(
    (api) => api.refunds.list({ payment_intent: payment, limit: 100 }),
    listOf(refundSchema),
  );
  if (known?.kind !== 'done') return false;
  const tries = known.body.data.filter((one) => hasFailed(one) && partNumber(one) === undefined).length;
  const answer = await client.ask(
    (api) =>
      api.refunds.create(
        { payment_intent: payment, metadata: { attempt: attempt.key } },
        { idempotencyKey: `${attempt.key}-refund-${tries}` },
      ),
    refundSchema,
  );
  // pending is Stripe's own way of paying out, and so is waiting for where a payer wants their money
  if (answer?.kind === 'done') return !hasFailed(answer.body);
  if (answer?.words.includes('charge_already_refunded')) return true;
  log.warn({ attemptId: attempt.key, words: answer?.words ?? 'no answer' }, 'Stripe has not given money back');
  return false;
}

/** Which part of a payment a refund is, where the shop asked for it as one. */
export function partNumber({ metadata }: Pick<v.InferOutput<typeof refundSchema>, 'metadata'>): number | undefined {
  const text = metadata?.['part'] ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/**
 * Gives a part back. It is looked for by its number before it is asked for, so that it is found also when Stripe has forgotten
 * the key; and it has been given when Stripe says that it has succeeded, which may take a bank some days.
 */
export async function refundPart(
  deps: StripeDeps,
  attempt: StripeAttempt,
  { number, amount, currency }: PartialRefund,
): Promise<RefundAnswer> {
  const { client, log } = deps;
  const payment = await paymentOf(deps, attempt);
  const counted = toStripe({ amount, currency });
  if (!counted) return { never: 'Stripe cannot write this amount' };
  if (payment === undefined) return false;
  const asked = { payment_intent: payment };
  const known = await client.ask((api) => api.refunds.list({ ...asked, limit: 100 }), listOf(refundSchema));
  if (known?.kind !== 'done') return false;
  const found = known.body.data.find((one) => partNumber(one) === number);
  if (found)
    return found.amount === counted.amount ? endOf(found) : { never: 'Stripe has another part of this number' };
  const metadata = { attempt: attempt.key, part: String(number) };
  const options = { idempotencyKey: `${attempt.key}-part-${number}` };
  const answer = await client.ask(
    (api) => api.refunds.create({ ...asked, amount: counted.amount, metadata }, options),
    refundSchema,
  );
  if (answer?.kind === 'done') return endOf(answer.body);
  log.warn({ attemptId: attempt.key, number, words: answer?.words ?? 'no answer' }, 'Stripe has not given a part back');
  const refused = answer && !answer.isUsedKey ? answer : undefined;
  // more than is left has no word of its own
  const why = refused?.param === 'amount' ? 'amount' : refused?.words.find((word) => refusals.has(word ?? ''));
  return why === undefined ? false : { never: `Stripe refuses it: ${why}` };
}

/** What no other moment changes (docs.stripe.com/error-codes). */
const refusals = new Set(['charge_already_refunded', 'charge_disputed', 'charge_not_refundable']);

function endOf(refund: v.InferOutput<typeof refundSchema>): RefundAnswer {
  return hasFailed(refund) ? { never: 'its bank has sent it back to Stripe' } : refund.status === 'succeeded';
}

const hasFailed = ({ status }: { status: string | null }) => status === 'failed' || status === 'canceled';
