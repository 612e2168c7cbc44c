import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { report } from '#contract/index.ts';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1', ANALYTICS_EVENTS_PER_DAY: '2000' } });
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.db.delete(throttles);
  await shop.db.delete(analyticsEvents);
});

const fields = {
  version: '2.3.2',
  entrance_way: 'memberSite',
  session_id: '0b8a4c1e-8d7a-4a51-9a43-2f1f6e0f7a11',
  page_id: 2,
  page_name: 'pricing',
  language: 'pt',
  terminal_type: 'WAP',
  event_content: 'page_view',
} as const;

const send = (count: number, ip: string, some: Partial<Record<keyof typeof fields | 'method_code', string>> = {}) => {
  const event = { name: 'membersite_event', at: testNow, fieldsMap: { ...fields, ...some } } as const;
  // as: a test sends values that the types do not allow
  const events = Array.from({ length: count }, () => event) as never;
  return shop.request(report, { body: { events } }, { headers: { 'x-forwarded-for': ip } });
};
const stored = () => shop.db.$count(analyticsEvents);
const dropped = async (limit: string) => {
  const metrics = await shop.deps.metrics.registry.metrics();
  return Number(new RegExp(`limit_refusals_total\\{limit="${limit}",brand="lumen"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
};

it('events of one network are limited by event, not by request', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await send(50, '203.0.113.7')).status);
  expect(statuses).toEqual([...Array.from({ length: 24 }, () => 200), ...Array.from({ length: 6 }, () => 429)]);
  expect(await stored()).toBe(1200);
  expect(await dropped('analytics_network')).toBe(300);
  expect((await send(1, '203.0.113.8')).status).toBe(200);
});

it('events of a brand are limited per day by its setting, over all networks', async () => {
  for (let n = 0; n < 60; n += 1) expect((await send(50, `198.18.0.${n}`)).status).toBe(200);
  expect(await stored()).toBe(2000);
  expect(await dropped('analytics_brand')).toBe(1000);
  shop.clock.advance(24 * 3_600_000);
  await send(50, '198.18.0.1');
  expect(await stored()).toBe(2050);
});

it.each([
  { session_id: 'an address: ana@example.com' },
  { page_name: '<script>' },
  { version: 'x y z' },
  { method_code: 'a b' },
])('an event with values that the storefront does not send, such as %o, is dropped and counted', async (some) => {
  const before = await dropped('analytics_fields');
  expect((await send(1, '203.0.113.9', some)).status).toBe(200);
  expect(await stored()).toBe(0);
  expect(await dropped('analytics_fields')).toBe(before + 1);
});
