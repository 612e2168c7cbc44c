import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contract/user.ts';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';

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
const [sessionName, ownerName, draftName] = ['marquee.me.userInfo', 'marquee.me.owner', 'marquee.me.draft.register'];

let browser: TestBrowser;
let stop: () => void;
/** Effects on the page, in order. */
let seen: string[];

beforeEach(() => {
  browser = openBrowser();
  seen = [];
  vi.stubGlobal('navigator', { userAgent: 'test' });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** A tab with Ana's orders or a visitor's page, which watches the other tabs. */
async function openTab(user: UserInfo | null) {
  vi.resetModules();
  const session = await import('#web/platform/session/session.ts');
  const busy = await import('#web/platform/session/busy.ts');
  const { watchOtherTabs } = await import('./other-tabs.ts');
  if (user) session.setSession(user);
  browser.sessionStorage.setItem(draftName, '{}');
  const client = new QueryClient();
  const orders = client.getQueryCache().build(client, { queryKey: ['orders', {}], meta: { personal: true } });
  orders.setData([1]);
  session.onSessionChange((now) => seen.push(now ? now.uid : 'nobody'));
  const hidePrivateContent = (on: boolean) => void (on && seen.push('veiled'));
  stop = watchOtherTabs(client, { hidePrivateContent, reload: () => seen.push('reloaded') });
  return { ...session, ...busy, client };
}

/** Another tab writes the storage as `session.ts` does: logout removes the owner, expiry does not. */
function writeInOtherTab(user: UserInfo | null, left: 'logout' | 'expired' = 'logout'): void {
  if (user || left === 'logout') browser.localStorage.removeItem(ownerName);
  if (user) browser.localStorage.setItem(ownerName, JSON.stringify(user.uid));
  if (user) browser.localStorage.setItem(sessionName, JSON.stringify(user));
  else browser.localStorage.removeItem(sessionName);
}
const happens = (type: string, details: object = {}) =>
  void browser.events.dispatchEvent(Object.assign(new Event(type), details));
const hears = (key: string | null = sessionName) => happens('storage', { key });

const follows = ['veiled', 'nobody', 'reloaded'];

test('hides, clears and reloads synchronously after a logout in another tab', async () => {
  const tab = await openTab(ana);
  writeInOtherTab(null);
  hears();
  expect(seen).toEqual(follows);
  expect(tab.getSession()).toBeNull();
  expect(tab.client.getQueryData(['orders', {}])).toBeUndefined();
  expect(browser.sessionStorage.length).toBe(0);
});

test('follows a login as another customer, and leaves no data of the first one', async () => {
  const tab = await openTab(ana);
  writeInOtherTab(bea);
  hears();
  expect(seen).toEqual(follows);
  expect(browser.sessionStorage.getItem(draftName)).toBeNull();
  expect(tab.storedToken()).toBe(bea.token);
});

test('follows a login as a visitor, and retains the draft', async () => {
  await openTab(null);
  writeInOtherTab(ana);
  hears(null);
  expect(seen).toEqual(['veiled', 'reloaded']);
  expect(browser.sessionStorage.getItem(draftName)).toBe('{}');
});

test('retains the draft for the same customer when the session expires in another tab', async () => {
  await openTab(ana);
  writeInOtherTab(null, 'expired');
  hears();
  expect(seen).toEqual(follows);
  expect(browser.sessionStorage.getItem(draftName)).toBe('{}');
});

test('ignores its own logins and logouts', async () => {
  const tab = await openTab(null);
  tab.setSession(ana);
  happens('visibilitychange');
  tab.clearSession('logout');
  happens('pageshow', { persisted: false });
  tab.setSession(bea);
  hears('marquee.site.language');
  hears();
  expect(seen).toEqual(['u1', 'nobody', 'u2']);
});

test('leaves the data of another tab when the session expires here', async () => {
  const tab = await openTab(ana);
  writeInOtherTab(bea);
  tab.clearSession('expired');
  expect(tab.storedToken()).toBe(bea.token);
  happens('visibilitychange');
  expect(seen).toEqual(['nobody', 'veiled', 'reloaded']);
});

test('follows when a frozen tab is visible again', async () => {
  await openTab(ana);
  writeInOtherTab(null);
  expect(seen).toEqual([]);
  happens('visibilitychange');
  expect(seen).toEqual(follows);
});

test('hides a page in the back/forward cache, and shows it to the same customer only', async () => {
  await openTab(ana);
  happens('pagehide', { persisted: false });
  expect(seen).toEqual([]);
  happens('pagehide', { persisted: true });
  happens('pageshow', { persisted: true });
  expect(seen).toEqual(['veiled']);
  writeInOtherTab(null);
  happens('pageshow', { persisted: true });
  expect(seen).toEqual(['veiled', ...follows]);
});

test('does not interrupt a payment in progress, but reloads in spite of a dirty form', async () => {
  const tab = await openTab(ana);
  tab.addBusyReason('form');
  const done = tab.addBusyReason('payment');
  writeInOtherTab(bea);
  hears();
  hears();
  expect(seen).toEqual([]);
  expect(tab.getSession()).toEqual(ana);
  done();
  done();
  expect(seen).toEqual(follows);
});

test('changes nothing if another tab logs out and in again during a payment', async () => {
  const tab = await openTab(ana);
  const done = tab.addBusyReason('payment');
  writeInOtherTab(null);
  hears();
  writeInOtherTab(ana);
  done();
  expect(seen).toEqual([]);
});

test('notices a change between the start of the page and of the watch', async () => {
  const tab = await openTab(ana);
  stop();
  writeInOtherTab(null);
  const { watchOtherTabs } = await import('./other-tabs.ts');
  stop = watchOtherTabs(tab.client, { hidePrivateContent: () => undefined, reload: () => seen.push('reloaded') });
  expect(seen).toEqual(['nobody', 'reloaded']);
});
