import type { PartialRefund, RefundAnswer } from '../terms.ts';
import { toPaypal } from './currencies.ts';
import { type PaypalAttempt, refundSchema } from './answers.ts';
import { readOrder, type PaypalDeps } from './orders.ts';

/**
 * Refunds all that is left of the capture, which PayPal does if no amount is given; once per attempt: PayPal stores
 * the request ID for 45 days, and later refuses a second refund (Payments API v2, "Refund captured payment").
 */
export async function refundCapture(deps: PaypalDeps, attempt: PaypalAttempt): Promise<boolean> {
  const captureId = await captureOf(deps, attempt);
  if (captureId === undefined) return false;
  const answer = await deps.client.call(
    { method: 'POST', path: `/v2/payments/captures/${captureId}/refund`, requestId: `${attempt.key}-refund` },
    refundSchema,
  );
  // a pending refund is completed by PayPal
  if (answer?.kind === 'done') return answer.body.status === 'COMPLETED' || answer.body.status === 'PENDING';
  if (answer?.issue === 'CAPTURE_FULLY_REFUNDED') return true;
  deps.log.warn({ attemptId: attempt.key, issue: answer?.issue ?? 'no answer' }, 'PayPal has not refunded a payment');
  return false;
}

async function captureOf(deps: PaypalDeps, { reference }: PaypalAttempt): Promise<string | undefined> {
  if (reference.type === 'capture') return reference.id;
  if (reference.type === 'none') return undefined;
  const order = await readOrder(deps, reference.id);
  return order === undefined || order === 'gone' ? undefined : order.purchase_units[0]?.payments?.captures[0]?.id;
}

/** `<key>-part-1`: the ID of a partial refund at PayPal, and its parser. */
const partName = ({ key, number }: Pick<PartialRefund, 'key' | 'number'>) => `${key}-part-${number}`;
export function readPartName(customId: string): { key: string; number: number } | undefined {
  const [, key, number] = /^([\w-]{36})-part-([1-9]\d{0,5})$/.exec(customId) ?? [];
  return key === undefined ? undefined : { key, number: Number(number) };
}

/** How long a partial refund can be repeated safely, in milliseconds: five days less than PayPal stores its ID. */
const rememberedMs = 40 * 24 * 60 * 60_000;

/**
 * Refusals that are permanent (developer.paypal.com, Payments v2, errors). PARTIAL_REFUND_NOT_ALLOWED: a dispute, or a
 * kind of payment that is refunded only as a whole.
 */
const refusals = new Set([
  'CAPTURE_FULLY_REFUNDED',
  'REFUND_AMOUNT_EXCEEDED',
  'REFUND_NOT_ALLOWED',
  'PARTIAL_REFUND_NOT_ALLOWED',
  'REFUND_TIME_LIMIT_EXCEEDED',
  'REFUND_CAPTURE_CURRENCY_MISMATCH',
  'INVALID_CURRENCY_CODE',
]);

/** Refunds a part, once per request ID, for which PayPal returns the latest status. */
export async function refundPart(deps: PaypalDeps, attempt: PaypalAttempt, part: PartialRefund): Promise<RefundAnswer> {
  const amount = toPaypal(part);
  if (!amount) return { permanentFailure: 'PayPal cannot write this amount' };
  if (deps.clock() - part.askedAt > rememberedMs)
    return { permanentFailure: 'PayPal may have forgotten its name by now: look at the payment in its own pages' };
  const captureId = await captureOf(deps, attempt);
  if (captureId === undefined) return false;
  const name = partName(part);
  const answer = await deps.client.call(
    {
      method: 'POST',
      path: `/v2/payments/captures/${captureId}/refund`,
      requestId: name,
      body: { amount, custom_id: name },
    },
    refundSchema,
  );
  if (answer?.kind === 'done') {
    const { status } = answer.body;
    return status === 'FAILED' || status === 'CANCELLED'
      ? { permanentFailure: 'PayPal has ended it unpaid' }
      : status === 'COMPLETED';
  }
  const issue = answer?.issue ?? 'no answer';
  deps.log.warn({ attemptId: attempt.key, number: part.number, issue }, 'PayPal has not made a partial refund');
  return refusals.has(issue) ? { permanentFailure: `PayPal refuses it: ${issue}` } : false;
}
