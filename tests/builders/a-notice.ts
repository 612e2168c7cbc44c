import { signNotice } from '#server/payments/notice-signature.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import type { TestApp } from './test-app.ts';

/** A notice of the sandbox bank about a charge; by default 19.90 were paid. */
export function aNotice(key: string, changed: object = {}) {
  return {
    id: `evt_${crypto.randomUUID()}`,
    event: 'charge',
    key,
    status: 'paid',
    amount: 1990,
    currency: 'BRL',
    declineCode: null,
    publicId: 'the-bank-has-its-own-names',
    expiresAt: null,
    ...changed,
  };
}

/** Posts a notice like the bank, signed with its secret by default; returns the HTTP status. */
export async function sendNotice(
  { app, clock, deps }: Pick<TestApp, 'app' | 'clock' | 'deps'>,
  notice: object | string,
  { at = clock.now, secret = noticeSecret(deps.env) } = {},
): Promise<number> {
  const body = typeof notice === 'string' ? notice : JSON.stringify(notice);
  const headers = { [timestampHeader]: String(at), [signatureHeader]: signNotice(secret, at, body) };
  return (await app.request('/webhooks/sandbox', { method: 'POST', body, headers })).status;
}
