import type { PaypalAttempt } from './find-attempt.ts';
import { readOrder, type PaypalRoom } from './orders.ts';
import { refundSchema } from './schemas.ts';

/**
 * Gives the whole capture back, once per attempt: PayPal keeps the request id for 45 days, and refuses a second refund
 * after them (Payments API v2, "Refund captured payment").
 */
export async function refundCapture(room: PaypalRoom, attempt: PaypalAttempt): Promise<boolean> {
  const captureId = await captureOf(room, attempt);
  if (captureId === undefined) return false;
  const answer = await room.client.call(
    { method: 'POST', path: `/v2/payments/captures/${captureId}/refund`, requestId: `${attempt.key}-refund` },
    refundSchema,
  );
  // pending is PayPal's own way of paying out, which it ends by itself
  if (answer?.kind === 'done') return answer.body.status === 'COMPLETED' || answer.body.status === 'PENDING';
  if (answer?.issue === 'CAPTURE_FULLY_REFUNDED') return true;
  room.log.warn({ attemptId: attempt.key, issue: answer?.issue ?? 'no answer' }, 'PayPal has not given money back');
  return false;
}

async function captureOf(room: PaypalRoom, { reference }: PaypalAttempt): Promise<string | undefined> {
  if (reference.type === 'capture') return reference.id;
  if (reference.type === 'none') return undefined;
  const order = await readOrder(room, reference.id);
  return order === undefined || order === 'gone' ? undefined : order.purchase_units[0]?.payments?.captures[0]?.id;
}
