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
/** "Can never be sent": not retried. */
const refusedForGood = new Set([400, 410, 422]);

/**
 * Sends through any provider without an adapter: `POST` of JSON `{ id, to, text }`, with `to` in E.164 including the
 * plus. `x-marquee-timestamp` is epoch milliseconds, `x-marquee-signature` the HMAC-SHA256 of `<timestamp>.<body>` with
 * the shared secret, in hex; receivers refuse what is older than five minutes. They respond with 2xx once they have
 * accepted the message, also for a repeated `id`: after a lost response the message is sent again with its id, and only
 * that prevents a duplicate. 400, 410 and 422 mean that it can never be sent; after any other status it is retried for
 * 15 minutes.
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
