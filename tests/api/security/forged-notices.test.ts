import { like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { throttles } from '#server/db/schema/sign-in.ts';
import { noticeSecret } from '#sandbox/gateway/protocol.ts';
import { noticeHeaders, sandboxWebhookId } from '#sandbox/paypal/events.ts';
import { aPaypalShop, type PaypalShop } from '#tests/builders/paypal-shop.ts';

let shop: PaypalShop;
beforeAll(async () => {
  shop = await aPaypalShop();
});
afterAll(() => shop.close());

/** Sends a PayPal notice from an address; it is forged if `secret` is not the one of PayPal. */
function send(secret = noticeSecret(shop.deps.env), remoteAddress = '203.0.113.7'): Promise<Response> {
  const body = JSON.stringify({ id: `WH-${crypto.randomUUID()}`, event_type: 'CUSTOMER.CREATED', resource: {} });
  const about = {
    id: crypto.randomUUID(),
    webhookId: sandboxWebhookId,
    now: shop.clock.now,
    origin: 'http://localhost',
  };
  const headers = noticeHeaders(secret, { ...about, body });
  const request = new Request('http://localhost/webhooks/paypal', { method: 'POST', headers, body });
  return Promise.resolve(shop.app.fetch(request, { incoming: { socket: { remoteAddress } } }));
}

const forge = (remoteAddress?: string) => send('a secret of an attacker', remoteAddress);
const calls = () => shop.asked.filter(({ path }) => path.endsWith('verify-webhook-signature')).length;

it('forged notices of one network cause 60 calls to PayPal in ten minutes, and genuine ones are accepted', async () => {
  const answers: number[] = [];
  for (let n = 0; n < 300; n += 1) answers.push((await forge()).status);
  expect([answers.filter((status) => status === 401).length, calls()]).toEqual([60, 60]);
  expect(answers.at(-1)).toBe(429);
  expect((await send(undefined, '198.51.100.9')).status).toBe(200);
  const metrics = await (await shop.app.request('http://localhost/metrics')).text();
  expect(metrics).toContain('refused_notices_total{gateway="paypal"} 60');
  shop.clock.advance(10 * 60_000);
  expect((await forge()).status).toBe(401);
});

it('forged notices of many networks cause at most four simultaneous calls to PayPal', async () => {
  let now = 0;
  let most = 0;
  shop.spoil((request, reach) => {
    if (!new URL(request.url).pathname.endsWith('verify-webhook-signature')) return undefined;
    now += 1;
    most = Math.max(most, now);
    return new Promise((resolve) => setTimeout(resolve, 20)).then(() => reach(request)).finally(() => (now -= 1));
  });
  await Promise.all(Array.from({ length: 40 }, (_, n) => forge(`198.51.100.${n + 20}`)));
  shop.spoil(undefined);
  expect(most).toBe(4);
});

it('forged notices that arrive together are counted before any call to PayPal', async () => {
  shop.clock.advance(10 * 60_000);
  const before = calls();
  for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 32 }, () => forge('192.0.2.1')));
  expect(calls() - before).toBe(60);
});

it(
  'forged notices of all networks cause 600 calls to PayPal in ten minutes, and its own network passes',
  { timeout: 60_000, tags: 'slow' },
  async () => {
    shop.clock.advance(10 * 60_000);
    expect((await send(undefined, '198.51.100.9')).status).toBe(200);
    const before = calls();
    const statuses: number[] = [];
    for (let n = 0; n < 700; n += 1) statuses.push((await forge(`203.0.${n >> 8}.${n & 255}`)).status);
    expect(calls() - before).toBe(600);
    expect(statuses.slice(600)).toEqual(Array.from({ length: 100 }, () => 429));
    expect((await send(undefined, '198.51.100.9')).status).toBe(200);
    // PayPal sends it again later
    expect((await send(undefined, '198.51.100.77')).status).toBe(429);
    shop.clock.advance(10 * 60_000);
    expect((await send(undefined, '198.51.100.77')).status).toBe(200);
  },
);

it(
  'a network that sends genuine notices is accepted during a flood for a limited time',
  { timeout: 60_000, tags: 'slow' },
  async () => {
    const day = 86_400_000;
    const forgeMany = async () => {
      for (let n = 0; n < 600; n += 1) await forge(`203.1.${n >> 8}.${n & 255}`);
    };
    const own = '198.51.100.99';
    shop.clock.advance(30 * day);
    const known = () =>
      shop.db
        .select()
        .from(throttles)
        .where(like(throttles.key, `accepted notice paypal ${own}%`));
    const written = new Set<number>();
    // the provider sends a notice every four hours
    for (let hours = 0; hours < 7 * 24; hours += 4) {
      expect((await send(undefined, own)).status).toBe(200);
      for (const { resetsAt } of await known()) written.add(resetsAt);
      shop.clock.advance(day / 6);
    }
    // at most one write a day
    expect(written.size).toBeGreaterThan(5);
    expect(written.size).toBeLessThan(8);
    await forgeMany();
    expect((await send(undefined, own)).status).toBe(200);
    // the network is forgotten after a week
    shop.clock.advance(8 * day);
    await forgeMany();
    expect((await send(undefined, own)).status).toBe(429);
  },
);
