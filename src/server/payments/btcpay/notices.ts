import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { findAttempt } from '../send-provider-request.ts';
import { NoticeRefused, type GatewayNotice } from '../gateway.ts';
import { eventSchema } from './client.ts';
import { answerOf, isPaid } from './coin-step.ts';
import { readNamedInvoice, type BtcpayDeps } from './invoices.ts';

const signatureHeader = 'btcpay-sig';

/**
 * Reads a notice with the HMAC of the webhook ("WebhookDataCreate" of the Greenfield API). A notice only names an
 * invoice, whose state is then fetched. So neither an attacker's replay nor the server's repeats for an hour, which
 * contain the time of the first try, do harm, and the time is not checked. If the server cannot be reached the notice
 * is refused, and the server sends it again.
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
  // an event about a payout, a subscriber or anything else that the webhook is configured for
  const named = typeof invoiceId === 'string' ? await readNamedInvoice(deps, invoiceId) : 'none';
  if (named === undefined) throw new NoticeRefused('BTCPay Server could not be queried about the invoice');
  const { key, invoice } = named === 'none' ? { key: '' } : named;
  const attempt = await findAttempt(deps.db, key);
  if (attempt && !invoice) deps.log.error({ attemptId: key }, 'an invoice of BTCPay Server cannot be read');
  if (!invoice || !attempt) return { ...notice, key, answer: { state: 'unknown' } };
  // another invoice of the same key, which was never shown, may pay the attempt but never ends it
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
