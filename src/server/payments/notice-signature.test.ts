import { describe, expect, it } from 'vitest';
import { isSignedNotice, noticeWindowMs, signNotice } from './notice-signature.ts';

const secret = 'a secret that only the provider knows';
const body = '{"id":"evt_1"}';
const sentAt = 1_795_000_000_000;
const signed = { timestamp: String(sentAt), signature: signNotice(secret, sentAt, body), body };

describe('a notice of the provider', () => {
  it('is accepted if it is signed and fresh', () => {
    expect(isSignedNotice(secret, signed, sentAt + 1000)).toBe(true);
  });

  it.each([
    ['its body was changed', { ...signed, body: `${body} ` }],
    ['its time was changed', { ...signed, timestamp: String(sentAt + 1) }],
    ['its signature is of another length', { ...signed, signature: 'ab' }],
    ['its signature is missing', { ...signed, signature: null }],
    ['its time is missing', { ...signed, timestamp: null }],
    ['it was signed with another secret', { ...signed, signature: signNotice('guess', sentAt, body) }],
  ])('is refused if %s', (_case, notice) => {
    expect(isSignedNotice(secret, notice, sentAt)).toBe(false);
  });

  it('is refused after five minutes, so that it cannot be replayed', () => {
    expect(isSignedNotice(secret, signed, sentAt + noticeWindowMs + 1)).toBe(false);
    expect(isSignedNotice(secret, signed, sentAt - noticeWindowMs - 1)).toBe(false);
  });
});
