import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from '#server/env.ts';

/** Where the sandbox PayPal lives on an origin of this server. */
export const sandboxBase = '/sandbox/paypal';

/** Names the shop's webhook there. */
export const sandboxWebhookId = 'SANDBOXWEBHOOK1';

type Secrets = Pick<Env, 'SIGNING_SECRET'>;

/** What the shop is known by at the sandbox PayPal. */
export function sandboxAccount(env: Secrets): { clientId: string; clientSecret: string; webhookId: string } {
  return { clientId: 'sandbox-shop', clientSecret: mark(env, 'paypal client'), webhookId: sandboxWebhookId };
}

/** An access token lives as long as the real one's, in seconds: nine hours. */
export const tokenSeconds = 32_400;

/** A token says until when it is good, and is signed. `now` in epoch milliseconds. */
export function makeToken(env: Secrets, now: number): string {
  const until = now + tokenSeconds * 1000;
  return `A21.${until}.${mark(env, `paypal token ${until}`)}`;
}

export function isToken(env: Secrets, token: string, now: number): boolean {
  const [, until = ''] = /^A21\.(\d+)\./.exec(token) ?? [];
  return isSame(token, `A21.${until}.${mark(env, `paypal token ${until}`)}`) && Number(until) > now;
}

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function mark({ SIGNING_SECRET }: Secrets, what: string): string {
  return createHmac('sha256', SIGNING_SECRET).update(what).digest('base64url');
}
