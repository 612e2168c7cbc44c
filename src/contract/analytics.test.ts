import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { analyticsEventSchema, analyticsIdOf, pageNames } from './analytics.ts';
import { lastAnalyticsPageId } from './limits.ts';

const event = {
  name: 'membersite_event',
  at: 1_795_262_400_000,
  fieldsMap: {
    version: '2.3.2',
    entrance_way: 'memberSite',
    session_id: 'a',
    page_id: 1,
    page_name: 'home',
    language: 'pt',
    terminal_type: 'WAP',
    event_content: 'page_view',
  },
};

describe('what is counted', () => {
  it('has page IDs 1 to 17, each once', () => {
    const names = new Set(Object.values(pageNames));
    const ids = [...names].map(analyticsIdOf).filter(Boolean);
    ids.sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: lastAnalyticsPageId }, (_, index) => index + 1));
  });

  it('accepts an event of the storefront', () => expect(v.is(analyticsEventSchema, event)).toBe(true));

  it.each([
    { url: 'https://shop.example/?t=secret' },
    { account: 'ana@example.com' },
    { token: 'secret' },
    { page_id: 18 },
    { page_name: 'x'.repeat(41) },
    { event_content: 'typed: 4242' },
    { duration: -1 },
  ])('refuses any other field: %j', (extra) => {
    expect(v.is(analyticsEventSchema, { ...event, fieldsMap: { ...event.fieldsMap, ...extra } })).toBe(false);
  });
});
