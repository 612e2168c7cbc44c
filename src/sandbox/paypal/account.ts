import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from '#server/env.ts';

/** The path of the sandbox PayPal on this server. */
export const sandboxBase = '/sandbox/paypal';

/** The ID of the server's webhook there. */
export const sandboxWebhookId = 'SANDBOXWEBHOOK1';

type Secrets = Pick<Env, 'SIGNING_SECRET'>;

/** The server's credentials at the sandbox PayPal. */
export function sandboxAccount(env: Secrets): { clientId: string; clientSecret: string; webhookId: string } {
  return { clientId: 'sandbox-shop', clientSecret: sign(env, 'paypal client'), webhookId: sandboxWebhookId };
}

/** Lifetime of an access token in seconds: nine hours, as PayPal's. */
export const tokenSeconds = 32_400;

/** A signed token with its expiry. `now` in epoch milliseconds. */
export function makeToken(env: Secrets, now: number): string {
  const until = now + tokenSeconds * 1000;
  return `A21.${until}.${sign(env, `paypal token ${until}`)}`;
}

export function isToken(env: Secrets, token: string, now: number): boolean {
  const [, until = ''] = /^A21\.(\d+)\./.exec(token) ?? [];
  return isEqualInConstantTime(token, `A21.${until}.${sign(env, `paypal token ${until}`)}`) && Number(until) > now;
}

/** Compares in constant time. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function sign({ SIGNING_SECRET }: Secrets, what: string): string {
  return createHmac('sha256', SIGNING_SECRET).update(what).digest('base64url');
}
