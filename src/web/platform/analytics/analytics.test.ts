import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { analyticsEventSchema } from '#contract/analytics.ts';
import { countdownConfig } from '#contract/session.ts';
import { analyticsQueueKey, countedBrandKey } from '#web/platform/session/storage/analytics-key.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { configureApi } from '#web/platform/api/exchange.ts';
import { track, trackPage, flush } from './events.ts';
import { startAnalytics } from './start-analytics.ts';

const bodies: unknown[] = [];
let answer: () => Promise<Response>;
const success = () => Promise.resolve(Response.json({ code: 0, data: {} }));

beforeEach(() => {
  openBrowser();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14) Mobile' });
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('fetch', async (request: Request) => {
    bodies.push(await request.json());
    return answer();
  });
  configureApi({ base: 'http://shop.example' });
  bodies.length = 0;
  answer = success;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('what is counted', () => {
  it('is words of the lists and numbers, and nothing else', () => {
    const leave = trackPage('payment');
    vi.advanceTimersByTime(1500);
    leave();
    track('pay', 'payment', { method_code: 'pix' });
    const events = analyticsQueueKey.get() ?? [];
    expect(events.map(({ fieldsMap }) => fieldsMap.event_content)).toEqual(['page_view', 'page_leave', 'pay']);
    expect(events[1]?.fieldsMap).toMatchObject({
      page_id: 10,
      page_name: 'payment',
      duration: 1500,
      terminal_type: 'WAP',
      version: '2.3.2',
    });
    for (const event of events) expect(v.is(analyticsEventSchema, event)).toBe(true);
  });

  it('has a page name where the page has no id', () => {
    track('page_view', 'notice');
    expect(analyticsQueueKey.get()?.[0]?.fieldsMap).toMatchObject({ page_id: 0, page_name: 'notice' });
  });

  it('is sent in a batch and removed', async () => {
    track('page_view', 'home');
    track('page_view', 'pricing');
    await flush();
    await flush();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({ events: [{ fieldsMap: { page_id: 1 } }, { fieldsMap: { page_id: 2 } }] });
    expect(analyticsQueueKey.get()).toBeUndefined();
  });

  it('is queued while offline, the newest fifty at most', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    for (let count = 0; count < 60; count += 1) track('page_view', 'home', { duration: count });
    await flush();
    expect(analyticsQueueKey.get()).toHaveLength(50);
    expect(analyticsQueueKey.get()?.[0]?.fieldsMap.duration).toBe(10);
    answer = success;
    await flush();
    expect(analyticsQueueKey.get()).toBeUndefined();
  });

  it('is not sent again after a refusal', async () => {
    answer = () => Promise.resolve(Response.json({ code: 5000, errCode: 5000 }, { status: 400 }));
    track('page_view', 'home');
    await flush();
    expect(analyticsQueueKey.get()).toBeUndefined();
  });
});

describe('the pages of a visit', () => {
  it('are counted on view and leave, after paint, by name and never by URL', () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: Date.UTC(2026, 10, 21) });
    const heard: (() => void)[] = [];
    const router = {
      state: { location: { pathname: '/plan-details/30' } },
      subscribe: (_: 'onResolved', listener: () => void) => {
        heard.push(listener);
        return () => undefined;
      },
    };
    const go = (pathname: string) => {
      vi.advanceTimersByTime(900);
      router.state.location.pathname = pathname;
      for (const listener of heard) listener();
      vi.advanceTimersByTime(100);
    };
    startAnalytics(router);
    go('/plan-details/365');
    go('/paymentResult/token/secret');
    go('/nowhere/secret');
    const events = analyticsQueueKey.get() ?? [];
    expect(
      events.map(({ fieldsMap }) => `${fieldsMap.event_content} ${fieldsMap.page_name} ${fieldsMap.duration ?? ''}`),
    ).toEqual([
      'page_view plan ',
      'page_leave plan 2000',
      'page_view payment-result ',
      'page_leave payment-result 1000',
      'page_view not-found ',
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('contain the brand from the visit’s second page on, which is requested once per visit', async () => {
    const config = { brand: 'Lumen', brandId: 'b-1', vnoId: '', tenantId: '', env: 'prod' };
    const asked: string[] = [];
    vi.stubGlobal('fetch', (request: Request) => {
      asked.push(new URL(request.url).pathname);
      return Promise.resolve(Response.json({ code: 0, data: config }));
    });
    const router = { state: { location: { pathname: '/' } }, subscribe: () => () => undefined };
    vi.stubGlobal('document', { addEventListener: () => undefined });
    startAnalytics(router);
    await vi.waitFor(() => expect(countedBrandKey.get()).toBe('b-1'));
    startAnalytics(router);
    const brands = (analyticsQueueKey.get() ?? []).map(({ fieldsMap }) => fieldsMap.brand_id);
    expect(brands).toEqual([undefined, 'b-1']);
    expect(asked.filter((path) => path === countdownConfig.path)).toHaveLength(1);
  });
});
