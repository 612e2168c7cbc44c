import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { anAuthenticator, type Attestation } from '#tests/builders/a-passkey.ts';
import { watchOutgoingRequests } from '#tests/builders/outgoing-requests.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

let outgoing: ReturnType<typeof watchOutgoingRequests>;
beforeEach(() => {
  outgoing = watchOutgoingRequests();
});
afterEach(() => outgoing.stop());

/** Self-signed; its revocation list is at http://169.254.169.254/latest/meta-data. Created with openssl. */
const certificate = Buffer.from(
  'MIIBqjCCAVGgAwIBAgIUb/xI/4iwls3YFQks5dKnvHqm7KUwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjcwMDUyMDlaGA8y' +
    'MTI2MTEwMzAwNTIwOVowDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOzFQD9OQoFsCpyBaUHZQUoTi+JEPFYxaEsH' +
    'XhG0sEnN66fwLr4r0vTkbW7KtgeNG2fwN6fF2f96/iDgA5XZTgSjgY4wgYswHQYDVR0OBBYEFCsM52sv5weKUTEwxsiCzcLUFLE6MB8GA1Ud' +
    'IwQYMBaAFCsM52sv5weKUTEwxsiCzcLUFLE6MA8GA1UdEwEB/wQFMAMBAf8wOAYDVR0fBDEwLzAtoCugKYYnaHR0cDovLzE2OS4yNTQuMTY5' +
    'LjI1NC9sYXRlc3QvbWV0YS1kYXRhMAoGCCqGSM49BAMCA0cAMEQCIDWasSg5Vu5YWmILSe6UDlvvU1aFkdd+LZ+LTVmjNBKsAiA7seka08RM' +
    'rTLSiG7kAMnG8meblSR480aibnaUPF3+6A==',
  'base64',
);
const x5c = [certificate];
const sig = Buffer.alloc(70);

type User = Awaited<ReturnType<TestApp['customer']>>;

async function confirm({ token, password }: User) {
  const body = { purpose: 'passkey', password } as const;
  return (await shop.request(endpoints.confirmOwner, { body }, { token })).data;
}

async function add(ana: User, attestation?: Attestation) {
  const { token } = ana;
  const { confirmation } = await confirm(ana);
  const { challenge } = (await shop.request(endpoints.beginPasskey, { body: { confirmation } }, { token })).data;
  const made = { confirmation, name: 'My phone', ...anAuthenticator().make(challenge, attestation) };
  return shop.request(endpoints.addPasskey, { body: made }, { token });
}

describe('a passkey with an attestation', () => {
  it.each([
    ['apple', { x5c }],
    ['android-key', { x5c, sig }],
    ['android-safetynet', { ver: Buffer.from('1'), response: Buffer.from('e30.e30.e30') }],
    ['fido-u2f', { x5c, sig }],
    ['packed', { x5c, sig }],
    ['tpm', { x5c, sig }],
    ['of-an-attacker', {}],
  ])('is refused in format %s, and no address in it is requested', async (format, statement) => {
    const answer = await add(await shop.customer(), { format, statement });
    expect(answer.errCode).toBe(4598);
    expect(outgoing.requests).toEqual([]);
  });

  it('is not needed: one without is added', async () => {
    expect((await add(await shop.customer())).code).toBe(0);
  });
});

it('a customer may begin and add 20 passkeys an hour; then requests are refused before they are parsed', async () => {
  const ana = await shop.customer();
  const { confirmation } = await confirm(ana);
  const begun: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    const body = { confirmation };
    begun.push((await shop.request(endpoints.beginPasskey, { body }, { token: ana.token })).errCode ?? 0);
  }
  expect(begun).toEqual([...Array.from({ length: 20 }, () => 0), -3031]);
  const made = { confirmation, name: 'Phone', ...anAuthenticator().make('no-challenge-of-this-shop') };
  const codes: (number | undefined)[] = [];
  for (let n = 0; n < 21; n += 1) {
    codes.push((await shop.request(endpoints.addPasskey, { body: made }, { token: ana.token })).errCode);
  }
  expect(codes.slice(0, 20).every((code) => code === -3034)).toBe(true);
  expect(codes[20]).toBe(-3031);
});
