import { createHmac } from 'node:crypto';
import type { Env } from '#server/env.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { allSecrets, derivedKey, type SecretsEnv } from '#server/runtime/signing-secret.ts';

/** Until the receiver has answered, in milliseconds. */
const patienceMs = 15_000;

export interface SentWebhook {
  readonly isAccepted: boolean;
  /** such as `HTTP 503`, `timeout` or `no connection` */
  readonly answer: string;
  /** the receiver wants no more of it: status 410 */
  readonly isGone: boolean;
  /** no answer came, so the next event would wait as long */
  readonly isSilent: boolean;
  /** what `Retry-After` asks for, in milliseconds */
  readonly retryAfterMs: number | undefined;
}

/**
 * The secret of a brand's webhooks, as receivers configure it. It is derived, so it is stored nowhere and changes with
 * `SIGNING_SECRET`; `signatures` then has those of former secrets, too.
 */
export const webhookSecret = (env: Pick<Env, 'SIGNING_SECRET'>, brand: string): string =>
  `whsec_${keyOf(env, brand).toString('base64')}`;

const keyOf = (env: Pick<Env, 'SIGNING_SECRET'>, brand: string) => derivedKey(env, `webhooks ${brand}`);

/** The value of `webhook-signature` (Standard Webhooks, "Signature scheme"); `timestamp` in epoch seconds. */
function signatures(
  env: SecretsEnv,
  brand: string,
  { id, timestamp, body }: Record<'id' | 'timestamp' | 'body', string>,
) {
  const signed = allSecrets(env).map((secret) =>
    createHmac('sha256', keyOf(secret, brand)).update(`${id}.${timestamp}.${body}`).digest('base64'),
  );
  return signed.map((signature) => `v1,${signature}`).join(' ');
}

interface Delivery {
  readonly brand: string;
  readonly url: string;
  readonly eventId: string;
  readonly body: string;
}

/**
 * Sends a webhook by the Standard Webhooks convention (github.com/standard-webhooks/standard-webhooks). Any status 2xx
 * accepts it; a redirect does not. Never throws.
 */
export async function sendWebhook(
  { brand, url, eventId: id, body }: Delivery,
  env: SecretsEnv,
  now: number,
): Promise<SentWebhook> {
  const timestamp = String(Math.floor(now / 1000));
  const failed = { isAccepted: false, isGone: false, isSilent: false, retryAfterMs: undefined };
  try {
    const response = await providerFetch(url)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Storefront-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures(env, brand, { id, timestamp, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    const { ok: isAccepted, status } = response;
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now);
    return { ...failed, isAccepted, answer: `HTTP ${status}`, isGone: status === 410, retryAfterMs };
  } catch (error) {
    return { ...failed, isSilent: true, answer: isTimeout(error) ? 'timeout' : connectionFault(error) };
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

/** Names a DNS, TCP or TLS fault by its code only, because other messages may repeat the address and its token. */
function connectionFault(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z\d_]{3,60}$/.test(code) ? `no connection (${code})` : 'no connection';
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d{1,7}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? ms : undefined;
}
