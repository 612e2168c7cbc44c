import type * as v from 'valibot';
import type { PartialRefund, RefundAnswer } from '../terms.ts';
import { toStripe } from './currencies.ts';
import type { StripeAttempt } from './answers.ts';
import { paymentOf, type StripeDeps } from './payments.ts';
import { listOf, refundSchema } from './schemas.ts';

/**
 * Refunds all that is left of a payment, which Stripe does if no amount is given. Each try has its own key, by the
 * number of failed ones: repeated after a lost response it is the same refund, and after a refund that the bank
 * returned it is a new one. Stripe never refunds more than it took, even after it has forgotten the key: a second
 * refund is refused with `charge_already_refunded`.
 */
export async function refundPayment(deps: StripeDeps, attempt: StripeAttempt): Promise<boolean> {
  const { client, log } = deps;
  const payment = await paymentOf(deps, attempt);
  if (payment === undefined) return false;
  const known = await client.send(
    (api) => api.refunds.list({ payment_intent: payment, limit: 100 }),
    listOf(refundSchema),
  );
  if (known?.kind !== 'done') return false;
  const tries = known.body.data.filter((one) => hasFailed(one) && partNumber(one) === undefined).length;
  const answer = await client.send(
    (api) =>
      api.refunds.create(
        { payment_intent: payment, metadata: { attempt: attempt.key } },
        { idempotencyKey: `${attempt.key}-refund-${tries}` },
      ),
    refundSchema,
  );
  // a pending refund is completed by Stripe, as is one that waits for the payer's bank details
  if (answer?.kind === 'done') return !hasFailed(answer.body);
  if (answer?.words.includes('charge_already_refunded')) return true;
  log.warn({ attemptId: attempt.key, words: answer?.words ?? 'no answer' }, 'Stripe has not refunded a payment');
  return false;
}

/** The number of a partial refund, if the server requested it. */
export function partNumber({ metadata }: Pick<v.InferOutput<typeof refundSchema>, 'metadata'>): number | undefined {
  const text = metadata?.['part'] ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/**
 * Refunds a part. It is searched for by its number first, so it is found even if Stripe has forgotten the key. It
 * counts once Stripe reports success, which may take a bank some days.
 */
export async function refundPart(
  deps: StripeDeps,
  attempt: StripeAttempt,
  { number, amount, currency }: PartialRefund,
): Promise<RefundAnswer> {
  const { client, log } = deps;
  const payment = await paymentOf(deps, attempt);
  const counted = toStripe({ amount, currency });
  if (!counted) return { permanentFailure: 'Stripe cannot write this amount' };
  if (payment === undefined) return false;
  const asked = { payment_intent: payment };
  const known = await client.send((api) => api.refunds.list({ ...asked, limit: 100 }), listOf(refundSchema));
  if (known?.kind !== 'done') return false;
  const found = known.body.data.find((one) => partNumber(one) === number);
  if (found)
    return found.amount === counted.amount
      ? endOf(found)
      : { permanentFailure: 'Stripe has another part of this number' };
  const metadata = { attempt: attempt.key, part: String(number) };
  const options = { idempotencyKey: `${attempt.key}-part-${number}` };
  const answer = await client.send(
    (api) => api.refunds.create({ ...asked, amount: counted.amount, metadata }, options),
    refundSchema,
  );
  if (answer?.kind === 'done') return endOf(answer.body);
  log.warn(
    { attemptId: attempt.key, number, words: answer?.words ?? 'no answer' },
    'Stripe has not made a partial refund',
  );
  const refused = answer && !answer.isUsedKey ? answer : undefined;
  // an amount larger than what is left has no error code of its own
  const why = refused?.param === 'amount' ? 'amount' : refused?.words.find((word) => refusals.has(word ?? ''));
  return why === undefined ? false : { permanentFailure: `Stripe refuses it: ${why}` };
}

/** Refusals that are permanent (docs.stripe.com/error-codes). */
const refusals = new Set(['charge_already_refunded', 'charge_disputed', 'charge_not_refundable']);

function endOf(refund: v.InferOutput<typeof refundSchema>): RefundAnswer {
  return hasFailed(refund)
    ? { permanentFailure: 'its bank has sent it back to Stripe' }
    : refund.status === 'succeeded';
}

const hasFailed = ({ status }: { status: string | null }) => status === 'failed' || status === 'canceled';
