import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { openPaypal } from '#server/runtime/wiring/open-gateways.ts';
import { tokenSeconds } from '#sandbox/paypal/events.ts';
import { aPaypalShop, byPaypal, once, pageAt, type PaypalShop } from '#tests/builders/paypal-shop.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { sandbox } from '#sandbox/sandbox.ts';

let shop: PaypalShop;
beforeAll(async () => {
  shop = await aPaypalShop();
});
afterAll(() => shop.close());

const create = '/v2/checkout/orders';

describe('the access token of PayPal', () => {
  const tokens = () => shop.asked.filter(({ path }) => path.endsWith('/oauth2/token')).length;

  it('is requested once, and again only after it has expired', async () => {
    const ana = await shop.buyer();
    await ana.pay(byPaypal);
    const before = tokens();
    await ana.pay({ ...byPaypal, planId: '102' });
    expect(tokens()).toBe(before);
    shop.clock.advance(tokenSeconds * 1000 - 30_000);
    const { data } = await ana.pay({ ...byPaypal, planId: '103' });
    expect(data.next.type).toBe('redirect');
    expect(tokens()).toBe(before + 1);
  });

  it('is renewed without an error if PayPal has invalidated it early', async () => {
    const ana = await shop.buyer();
    const before = tokens();
    shop.spoil(once(create, () => Response.json({ error: 'invalid_token' }, { status: 401 })));
    expect((await ana.pay(byPaypal)).data.next.type).toBe('redirect');
    shop.spoil(undefined);
    expect(tokens()).toBe(before + 1);
  });

  it('that is refused leaves the payment submitted, and the reason is logged for the operator', async () => {
    const ana = await shop.buyer();
    shop.clock.advance(tokenSeconds * 1000);
    shop.spoil(once('/oauth2/token', () => Response.json({ error: 'invalid_client' }, { status: 401 })));
    expect((await ana.pay(byPaypal)).data.status).toBe('SUBMITTED');
    shop.spoil(undefined);
    expect(shop.logged()).toContain('rejects the configured client ID and secret');
  });
});

describe('the real PayPal', () => {
  const app = { PAYPAL_CLIENT_ID: 'a-client-of-paypal', PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' };

  it.each([
    [{}, 'https://api-m.sandbox.paypal.com'],
    [{ PAYPAL_ENVIRONMENT: 'live' }, 'https://api-m.paypal.com'],
  ])('is called with the configured app: %o', async (more, origin) => {
    const real = await testApp({ db: shop.db, env: { ...app, ...more } });
    const requests: Request[] = [];
    const gateway = openPaypal(real.deps, sandbox, () => async (request) => {
      requests.push(request);
      return Response.json({ error: 'invalid_client' }, { status: 401 });
    });
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const key = (await shop.recordsOf(data.orderId)).attempts[0]?.id ?? '';
    expect(await gateway?.inquire(key)).toEqual({ state: 'unknown' });
    expect(requests.map(({ url }) => url)).toEqual([`${origin}/v1/oauth2/token`]);
    const basic = Buffer.from(`${app.PAYPAL_CLIENT_ID}:${app.PAYPAL_CLIENT_SECRET}`).toString('base64');
    expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${basic}`);
    // the simulated PayPal is removed
    expect((await real.app.request('/sandbox/paypal/v1/oauth2/token', { method: 'POST' })).status).toBe(404);
  });

  it('is missing if neither it nor the sandbox is configured', async () => {
    const plain = await testApp({ db: shop.db, env: { SANDBOX: 'false' } });
    expect(plain.deps.gateways.paypal).toBeUndefined();
    const real = await testApp({ db: shop.db, env: { SANDBOX: 'false', ...app } });
    expect(real.deps.gateways.paypal).toBeDefined();
  });
});

describe('the page of the sandbox PayPal', () => {
  it('shows the amount and three choices, and nothing for an unknown payment', async () => {
    const ana = await shop.buyer();
    const { data } = await ana.pay(byPaypal);
    const page = await shop.app.request(pageAt(data.next));
    const html = await page.text();
    for (const text of ['R$', 'Pay by a card that is declined', 'Cancel and return']) expect(html).toContain(text);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await shop.app.request('http://localhost/sandbox/paypal/checkoutnow?token=X')).status).toBe(404);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId: data.orderId } }, ana);
    expect(info.data.next).toEqual(data.next);
  });
});
