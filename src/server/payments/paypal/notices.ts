import * as v from 'valibot';
import { NoticeRefused, type GatewayNotice } from '../gateway.ts';
import { noticeWindowMs } from '../notice-signature.ts';
import { readEvent } from './events.ts';
import type { PaypalDeps } from './orders.ts';
import { eventSchema, verificationSchema } from './schemas.ts';

/**
 * The headers of a notice (developer.paypal.com, "Integrate webhooks"), by their field names in the verification call.
 */
export const transmissionHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

interface Received {
  readonly webhookId: string | undefined;
  readonly headers: Headers;
  readonly rawBody: string;
  /** epoch milliseconds */
  readonly now: number;
}

/**
 * Verifies a notice with PayPal ("Verify webhook signature", Webhooks API v1) and reads it. The signature covers the
 * exact bytes, so the body is returned unchanged. Throws `NoticeRefused`; PayPal then sends it again.
 */
export async function verifyPaypalNotice(deps: PaypalDeps, received: Received): Promise<GatewayNotice> {
  const { webhookId, headers, rawBody, now } = received;
  if (webhookId === undefined) throw new NoticeRefused('no webhook id is configured');
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), rawBody);
  if (!event.success) throw new NoticeRefused('the body cannot be read');
  const transmission = Object.fromEntries(
    Object.entries(transmissionHeaders).map(([field, header]) => [field, headers.get(header) ?? '']),
  );
  const sentAt = Date.parse(transmission.transmission_time ?? '');
  if (!(Math.abs(now - sentAt) <= noticeWindowMs)) throw new NoticeRefused('the time does not fit');
  const question = JSON.stringify({ ...transmission, webhook_id: webhookId });
  const answer = await deps.client.call(
    {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      body: `${question.slice(0, -1)},"webhook_event":${rawBody}}`,
    },
    verificationSchema,
  );
  if (!answer) throw new NoticeRefused('PayPal could not be asked whether it is its own');
  const isOwn = answer.kind === 'done' && answer.body.verification_status === 'SUCCESS';
  if (!isOwn) throw new NoticeRefused('PayPal says that it is not its own');
  return readEvent(deps, event.output, now);
}
