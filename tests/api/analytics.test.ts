import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { analyticsVersion } from '#contract/limits.ts';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

it('analytics events are stored unchanged and without the identity of the customer', async () => {
  const { token, uid, account } = await shop.customer();
  const event = {
    name: 'membersite_event',
    at: testNow,
    fieldsMap: {
      version: analyticsVersion,
      entrance_way: 'memberSite',
      session_id: 'abc',
      page_id: 2,
      page_name: 'pricing',
      language: 'pt',
      terminal_type: 'WAP',
      event_content: 'page_view',
    },
  } as const;
  expect((await shop.request(endpoints.report, { body: { events: [event, event] } }, { token })).code).toBe(0);
  const rows = await shop.db.select().from(analyticsEvents);
  const stored = { brand: 'lumen', at: testNow, fields: { ...event.fieldsMap, signed_in: true } };
  expect(rows.map(({ id: _, ...row }) => row)).toEqual([stored, stored]);
  const text = JSON.stringify(rows);
  expect([token, uid, account].filter((secret) => text.includes(secret))).toEqual([]);
});
