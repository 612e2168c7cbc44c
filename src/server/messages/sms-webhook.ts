import type { SendRequest } from '#server/payments/ask-provider.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { MessageRefused, type Sms } from './sms.ts';

export interface SmsWebhook {
  readonly url: string;
  readonly secret: string;
  readonly send: SendRequest;
  /** epoch milliseconds */
  readonly clock: () => number;
}

export const smsTimestampHeader = 'x-marquee-timestamp';
export const smsSignatureHeader = 'x-marquee-signature';

const patienceMs = 20_000;
/** "This can never be sent": nothing is tried again. */
const refusedForGood = new Set([400, 410, 422]);

/**
 * [Note: SMS webhook] For every provider that has no adapter here. `POST` of JSON `{ id, to, text }`: `to` in E.164 with its
 * plus, `text` as it is to be sent. `x-marquee-timestamp` has epoch milliseconds, `x-marquee-signature` the HMAC-SHA256 by
 * the shared secret over `<timestamp>.<body>`, in hex; refuse what is older than five minutes. Answer 2xx once the message
 * is yours, also for an `id` that you have had before: a message whose answer was lost comes again with its id, which is
 * all that keeps it from being sent twice. 400, 410 and 422 mean that it can never be sent; anything else, that it shall
 * come again, for 15 minutes.
 */
export function smsWebhook({ url, secret, send, clock }: SmsWebhook): Sms {
  return {
    send: async ({ to, text }, { id }) => {
      const body = JSON.stringify({ id, to: `+${to}`, text });
      const timestamp = clock();
      const request = new Request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [smsTimestampHeader]: String(timestamp),
          [smsSignatureHeader]: signNotice(secret, timestamp, body),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      const { status } = await send(request).catch(() => ({ status: 0 }));
      if (refusedForGood.has(status)) throw new MessageRefused(`the SMS webhook refused a message with ${status}`);
      if (status < 200 || status > 299)
        throw new Error(`the SMS webhook has not taken a message: ${status || 'no answer'}`);
    },
  };
}
