import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { findAttempt } from '../find-attempt.ts';
import { NoticeRefused, type GatewayNotice } from '../gateway.ts';
import { answerOf, isPaid } from './answers.ts';
import { readNamedInvoice, type BtcpayDeps } from './invoices.ts';
import { eventSchema } from './schemas.ts';

export const signatureHeader = 'btcpay-sig';

/**
 * Reads a notice whose HMAC is the webhook's ("WebhookDataCreate" of the Greenfield API). A notice names an invoice, and is
 * believed nothing else: how that stands is asked. So an old notice that somebody sends again, and one that the server
 * repeats for an hour with the time of its first try in it, do no harm, and the time of a notice is not looked at. Where
 * the answer does not come the notice is refused, and the server sends it again.
 */
export async function verifyBtcpayNotice(
  deps: BtcpayDeps,
  { headers, rawBody }: { headers: Headers; rawBody: string },
): Promise<GatewayNotice> {
  if (!isSigned(deps.store.webhookSecret, headers.get(signatureHeader), rawBody))
    throw new NoticeRefused('the signature does not fit');
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), rawBody);
  if (!event.success) throw new NoticeRefused('the body cannot be read');
  const { deliveryId, originalDeliveryId, invoiceId } = event.output;
  const notice = { eventId: originalDeliveryId ?? deliveryId, kind: 'charge' } as const;
  // of a payout, a subscriber or whatever else the webhook was set to tell
  const named = typeof invoiceId === 'string' ? await readNamedInvoice(deps, invoiceId) : 'none';
  if (named === undefined) throw new NoticeRefused('BTCPay Server could not be asked how the invoice stands');
  const { key, invoice } = named === 'none' ? { key: '' } : named;
  const attempt = await findAttempt(deps.db, key);
  if (attempt && !invoice) deps.log.error({ attemptId: key }, 'an invoice of BTCPay Server cannot be read');
  if (!invoice || !attempt) return { ...notice, key, answer: { state: 'unknown' } };
  // another invoice of the same key, that nobody was shown, may pay; it ends nothing
  const isOther = attempt.providerRef !== null && attempt.providerRef !== invoice.id;
  const { confirmations } = deps.store;
  if (isOther && !isPaid(invoice)) return { ...notice, key, answer: { state: 'unknown' } };
  return { ...notice, key, answer: answerOf(invoice, { attempt, confirmations, now: deps.clock() }) };
}

function isSigned(secret: string, header: string | null, body: string): boolean {
  const [, told] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? [];
  if (told === undefined) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(told, 'hex'));
}
