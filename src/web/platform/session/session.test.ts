import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserInfo } from '#contract/user.ts';
import { openBrowser, type TestBrowser } from './storage/test-browser.ts';

const ana: UserInfo = {
  token: 'token-of-ana-0123456789',
  uid: 'u1',
  account: 'ana@example.com',
  type: 'email',
  accountLoginType: 'password',
  payStatus: 'PAID',
  expiration: Date.now() + 864_000_000,
};
const bea: UserInfo = { ...ana, token: 'token-of-bea-0123456789', uid: 'u2' };
const key = 'marquee.me.userInfo';

let browser: TestBrowser;
/** A tab that has just been opened: fresh modules. */
const openTab = async () => {
  vi.resetModules();
  const session = await import('./session.ts');
  const leave = await import('#web/domain/auth/log-out.ts');
  const { logOut } = await import('#web/domain/auth/log-out.ts');
  return { ...session, ...leave, logOut };
};

beforeEach(() => {
  browser = openBrowser();
  vi.stubGlobal('navigator', { userAgent: 'test' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a session', () => {
  it('remains valid after the tab is closed', async () => {
    (await openTab()).setSession(ana);
    expect((await openTab()).getSession()).toEqual(ana);
  });

  it('shows later payments, in later tabs too, without notifying of a login', async () => {
    const tab = await openTab();
    tab.setSession({ ...ana, payStatus: 'FREE_TRIAL' });
    const heard: unknown[] = [];
    tab.onSessionChange((user) => heard.push(user));
    tab.updateSessionUser({ payStatus: 'PAID' });
    tab.updateSessionUser({ payStatus: undefined });
    expect(tab.getSession()).toEqual(ana);
    expect((await openTab()).getSession()).toEqual(ana);
    expect(heard).toEqual([]);
  });

  it('records when the account is deleted, in later tabs too, until the deletion is cancelled', async () => {
    const tab = await openTab();
    tab.setSession(ana);
    const heard: unknown[] = [];
    tab.onSessionChange((user) => heard.push(user));
    tab.updateSessionUser({ leavesAt: 5 });
    tab.updateSessionUser({ leavesAt: undefined });
    expect((await openTab()).getSession()).toEqual({ ...ana, leavesAt: 5 });
    tab.updateSessionUser({ leavesAt: null });
    expect((await openTab()).getSession()).toEqual(ana);
    expect(heard).toEqual([]);
  });

  it('ends ten days after login', async () => {
    const tab = await openTab();
    tab.setSession(ana);
    vi.useFakeTimers({ now: ana.expiration - 1 });
    expect(tab.getSession()).toBe(tab.getSession());
    expect(tab.getSession()).toEqual(ana);
    vi.setSystemTime(ana.expiration);
    expect(tab.getSession()).toBeNull();
  });

  it.each(['{"token":"x"}', '{', '[]', JSON.stringify({ ...ana, token: 'a b' })])(
    'is dropped when malformed: %s',
    async (text) => {
      browser.localStorage.setItem(key, text);
      expect((await openTab()).getSession()).toBeNull();
      expect(browser.localStorage.getItem(key)).toBeNull();
    },
  );

  it('notifies listeners of login and end, once each', async () => {
    const tab = await openTab();
    const heard = vi.fn();
    const stop = tab.onSessionChange(heard);
    tab.setSession(ana);
    tab.clearSession('expired');
    tab.clearSession('expired');
    stop();
    tab.setSession(ana);
    expect(heard.mock.calls).toEqual([
      [ana, undefined],
      [null, 'expired'],
    ]);
  });

  it('is null on the server', async () => {
    vi.unstubAllGlobals();
    expect((await openTab()).getSession()).toBeNull();
  });
});

describe('leaving', () => {
  const fill = () => {
    browser.localStorage.setItem('marquee.me.payment', '{}');
    browser.localStorage.setItem('marquee.site.language', '"pt"');
    browser.sessionStorage.setItem('marquee.me.draft.register', '{}');
    const client = new QueryClient();
    client
      .getQueryCache()
      .build(client, { queryKey: ['orders', {}], meta: { personal: true } })
      .setData([1]);
    client
      .getQueryCache()
      .build(client, { queryKey: ['listPlans', {}], meta: { personal: false } })
      .setData([2]);
    return client;
  };

  it('by logout leaves nothing of the customer, even with the wire cut', async () => {
    const tab = await openTab();
    tab.setSession(ana);
    const client = fill();
    await tab.logOut(client);
    expect(tab.getSession()).toBeNull();
    expect(Object.keys(Object.fromEntries(keysOf(browser.localStorage)))).toEqual(['marquee.site.language']);
    expect(browser.sessionStorage.length).toBe(0);
    expect(client.getQueryData(['orders', {}])).toBeUndefined();
    expect(client.getQueryData(['listPlans', {}])).toEqual([2]);
  });

  it('by logout notifies the server with the ended token, and ignores its answer', async () => {
    const sent: { token: string | null; body: unknown }[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent.push({ token: request.headers.get('authorization'), body: await request.clone().json() });
      return Response.json({ code: 0, data: {} });
    });
    const tab = await openTab();
    (await import('#web/platform/api/exchange.ts')).configureApi({ base: 'http://shop.example' });
    tab.setSession(ana);
    await tab.logOut(new QueryClient());
    const farewell = { token: ana.token, body: { language: 'en', uid: 'u1', account: '' } };
    await vi.waitFor(() => expect(sent).toContainEqual(farewell));
  });

  it('by an expired session keeps drafts and the payment in progress for the same customer', async () => {
    const tab = await openTab();
    tab.setSession(ana);
    const client = fill();
    tab.expireSession(client);
    expect(browser.sessionStorage.getItem('marquee.me.draft.register')).toBe('{}');
    expect(client.getQueryData(['orders', {}])).toBeUndefined();
    tab.setSession({ ...ana, token: 'token-of-ana-9876543210' });
    expect(browser.localStorage.getItem('marquee.me.payment')).toBe('{}');
  });

  it('by an expired session leaves nothing for another customer', async () => {
    const tab = await openTab();
    tab.setSession(ana);
    const client = fill();
    tab.expireSession(client);
    tab.setSession(bea);
    expect(browser.localStorage.getItem('marquee.me.payment')).toBeNull();
    expect(browser.sessionStorage.length).toBe(0);
    expect(tab.getSession()).toEqual(bea);
  });
});

function keysOf(store: Storage): [string, string][] {
  return Array.from({ length: store.length }, (_, index): [string, string] => {
    const name = store.key(index) ?? '';
    return [name, store.getItem(name) ?? ''];
  });
}
