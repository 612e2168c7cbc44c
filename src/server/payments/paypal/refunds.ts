import type { PartialRefund, RefundAnswer } from '../terms.ts';
import { toPaypal } from './currencies.ts';
import type { PaypalAttempt } from './find-attempt.ts';
import { readOrder, type PaypalDeps } from './orders.ts';
import { refundSchema } from './schemas.ts';

/**
 * Gives back all that is left of the capture, which is what PayPal gives where no amount is named; once per attempt: PayPal keeps
 * the request id for 45 days, and refuses a second refund after them (Payments API v2, "Refund captured payment").
 */
export async function refundCapture(deps: PaypalDeps, attempt: PaypalAttempt): Promise<boolean> {
  const captureId = await captureOf(deps, attempt);
  if (captureId === undefined) return false;
  const answer = await deps.client.call(
    { method: 'POST', path: `/v2/payments/captures/${captureId}/refund`, requestId: `${attempt.key}-refund` },
    refundSchema,
  );
  // pending is PayPal's own way of paying out, which it ends by itself
  if (answer?.kind === 'done') return answer.body.status === 'COMPLETED' || answer.body.status === 'PENDING';
  if (answer?.issue === 'CAPTURE_FULLY_REFUNDED') return true;
  deps.log.warn({ attemptId: attempt.key, issue: answer?.issue ?? 'no answer' }, 'PayPal has not given money back');
  return false;
}

async function captureOf(deps: PaypalDeps, { reference }: PaypalAttempt): Promise<string | undefined> {
  if (reference.type === 'capture') return reference.id;
  if (reference.type === 'none') return undefined;
  const order = await readOrder(deps, reference.id);
  return order === undefined || order === 'gone' ? undefined : order.purchase_units[0]?.payments?.captures[0]?.id;
}

/** `<key>-part-1`: what a part is called at PayPal, and back to key and number. */
const partName = ({ key, number }: Pick<PartialRefund, 'key' | 'number'>) => `${key}-part-${number}`;
export function readPartName(customId: string): { key: string; number: number } | undefined {
  const [, key, number] = /^([\w-]{36})-part-([1-9]\d{0,5})$/.exec(customId) ?? [];
  return key === undefined ? undefined : { key, number: Number(number) };
}

/** For so long a part can be asked for again safely, in milliseconds: five days less than PayPal keeps its name. */
const rememberedMs = 40 * 24 * 60 * 60_000;

/**
 * Refusals that no other moment changes (developer.paypal.com, Payments v2, errors). PARTIAL_REFUND_NOT_ALLOWED: a dispute or a
 * kind of payment that goes back whole only.
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

/** Gives a part back, once for its request id, under which PayPal tells the latest status of it. */
export async function refundPart(deps: PaypalDeps, attempt: PaypalAttempt, part: PartialRefund): Promise<RefundAnswer> {
  const amount = toPaypal(part);
  if (!amount) return { never: 'PayPal cannot write this amount' };
  if (deps.clock() - part.askedAt > rememberedMs)
    return { never: 'PayPal may have forgotten its name by now: look at the payment in its own pages' };
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
      ? { never: 'PayPal has ended it unpaid' }
      : status === 'COMPLETED';
  }
  const issue = answer?.issue ?? 'no answer';
  deps.log.warn({ attemptId: attempt.key, number: part.number, issue }, 'PayPal has not given a part back');
  return refusals.has(issue) ? { never: `PayPal refuses it: ${issue}` } : false;
}
