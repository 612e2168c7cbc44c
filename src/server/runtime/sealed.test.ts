import { expect, test } from 'vitest';
import { seal, unseal } from './sealed.ts';
import { systemRandom as random } from './random.ts';

const env = { SIGNING_SECRET: 'a secret of these tests that is long enough', FORMER_SIGNING_SECRETS: [] };
const later = { ...env, SIGNING_SECRET: 'another secret of these tests, also long' };
const owner = { brand: 'lumen', uid: 'u1' };
const value = { name: 'Ana Lima', document: '52998224725' };

test('a sealed value is read by its owner and for its purpose only, and shows nothing of its text', () => {
  const sealed = seal({ env, random }, 'buyer', owner, value);
  expect(unseal(env, 'buyer', owner, sealed)).toEqual(value);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('529');
  expect(unseal(env, 'payer', owner, sealed)).toBeUndefined();
  expect(unseal(env, 'buyer', { ...owner, uid: 'u2' }, sealed)).toBeUndefined();
  expect(unseal(env, 'buyer', { ...owner, brand: 'mego' }, sealed)).toBeUndefined();
  expect(unseal(later, 'buyer', owner, sealed)).toBeUndefined();
  expect(unseal(env, 'buyer', owner, '')).toBeUndefined();
});

test('a value that was sealed with a former secret is read while that one is configured', () => {
  const sealed = seal({ env, random }, 'buyer', owner, value);
  expect(unseal({ ...later, FORMER_SIGNING_SECRETS: [env.SIGNING_SECRET] }, 'buyer', owner, sealed)).toEqual(value);
});

test('a value that is sealed twice looks different each time', () => {
  expect(seal({ env, random }, 'buyer', owner, value)).not.toBe(seal({ env, random }, 'buyer', owner, value));
});

test.each([0, 12, 30])('a sealed value that was changed at byte %i is not read', (at) => {
  const bytes = Buffer.from(seal({ env, random }, 'buyer', owner, value), 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  expect(unseal(env, 'buyer', owner, bytes.toString('base64url'))).toBeUndefined();
});
