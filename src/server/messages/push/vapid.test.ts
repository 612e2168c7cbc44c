import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { vapidHeader, vapidKeys } from './send-push.ts';

const env = { SIGNING_SECRET: 'a secret of the tests that is long enough' };

test('every process with the same secret has the same key, and each brand has its own', () => {
  const { publicKey } = vapidKeys(env, 'lumen');
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect(vapidKeys({ ...env }, 'lumen').publicKey).toBe(publicKey);
  expect(vapidKeys(env, 'mego').publicKey).not.toBe(publicKey);
  expect(vapidKeys({ SIGNING_SECRET: `${env.SIGNING_SECRET}.` }, 'lumen').publicKey).not.toBe(publicKey);
});

test('a push service receives sender, audience, expiry and contact', async () => {
  const now = Date.UTC(2026, 10, 21, 12);
  // as: only these are read
  const deps = { env: { ...env, MAIL_FROM: 'shop@example.com' }, clock: () => now } as Parameters<
    typeof vapidHeader
  >[0];
  const endpoint = new URL('https://web.push.apple.com/QKC4Bq');
  const readToken = async (origin: string) => {
    const header = await vapidHeader(deps, { code: 'lumen', origin }, endpoint);
    const { privateKey, publicKey } = vapidKeys(env, 'lumen');
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
    expect(key).toBe(publicKey);
    const { payload } = await jwtVerify(token, createPublicKey(privateKey), { currentDate: new Date(now) });
    return payload;
  };
  const end = now / 1000 + 12 * 60 * 60;
  expect(await readToken('https://shop.example')).toEqual({
    aud: 'https://web.push.apple.com',
    exp: end,
    sub: 'https://shop.example',
  });
  // Apple's push service refuses a loopback address as contact
  expect((await readToken('http://localhost:3000')).sub).toBe('mailto:shop@example.com');
});
