import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offersToken } from '#server/account/settings/offers.ts';
import { fingerprintRequest, isSameRequest, type PayBody } from '#server/billing/request-hash.ts';
import { users } from '#server/db/schema/users.ts';
import { bounceOf, clearBounce, recordBounce } from '#server/messages/bounces.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const former = 'the secret of before that is long enough';
let shop: TestApp;
let before: TestApp['deps'];
beforeAll(async () => {
  shop = await testApp({ env: { FORMER_SIGNING_SECRETS: former } });
  before = { ...shop.deps, env: { ...shop.deps.env, SIGNING_SECRET: former, FORMER_SIGNING_SECRETS: [] } };
});
afterAll(async () => shop.close());

describe('after a change of SIGNING_SECRET', () => {
  it('unsubscribes by a link that was sent before', async () => {
    const { uid } = await shop.customer();
    const post = async (token: string) =>
      shop.app.request(`http://localhost/unsubscribe?token=${token}`, {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    const other = { ...before.env, SIGNING_SECRET: 'a secret that this shop never had before' };
    expect((await post(offersToken(other, { brand: 'lumen', uid }))).status).toBe(404);
    expect((await post(offersToken(before.env, { brand: 'lumen', uid }))).status).toBe(200);
    const [user] = await shop.db.select().from(users).where(eq(users.uid, uid));
    expect(user?.unsubscribeEmail).toBe(true);
  });

  it('remembers the bounces and complaints of before', async () => {
    const { now } = shop.clock;
    await recordBounce(before, 'ana@example.com', 'complaint', now);
    await recordBounce(before, 'eva@example.com', 'permanent', now);
    expect(await bounceOf(shop.deps, 'ana@example.com')).toBe('complaint');
    await recordBounce(shop.deps, 'ana@example.com', 'permanent', now);
    await recordBounce(shop.deps, 'eva@example.com', 'complaint', now);
    expect(await bounceOf(shop.deps, 'ana@example.com')).toBe('permanent');
    expect(await bounceOf(shop.deps, 'eva@example.com')).toBe('permanent');
    expect(await clearBounce(shop.deps, 'eva@example.com')).toBe(true);
    expect(await bounceOf(shop.deps, 'eva@example.com')).toBeUndefined();
  });

  it('recognizes a payment that is sent again', () => {
    const card = { number: '4242424242424242', expiry: '12/30', holderFirstName: 'Ana', holderLastName: 'Souza' };
    const purchase = { planId: '101', methodCode: 'card', currency: 'BRL', installments: 1, quoteId: 'q' } as const;
    const rest = { payer: {}, returnUrl: '/payment-result', source: 'WEB' } as const;
    const body: PayBody = { ...purchase, ...rest, card: { ...card, code: '123', save: false } };
    const stored = fingerprintRequest(before.env, 'pay', body).hash;
    const again = fingerprintRequest(shop.deps.env, 'pay', body);
    expect([again.hash === stored, isSameRequest(stored, again)]).toEqual([false, true]);
    const dearer = fingerprintRequest(shop.deps.env, 'pay', { ...body, planId: '103' });
    expect(isSameRequest(stored, dearer)).toBe(false);
  });
});
