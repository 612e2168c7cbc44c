import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';

let browser: TestBrowser;
let asked = 0;

beforeEach(() => {
  asked = 0;
  browser = openBrowser();
});
afterEach(() => vi.unstubAllGlobals());

/** The browser's own event, whose question somebody answers. */
function offers(outcome: 'accepted' | 'dismissed'): Event {
  return Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: () => Promise.resolve(void (asked += 1)),
    userChoice: Promise.resolve({ outcome }),
  });
}

/** A page that has just been loaded: its modules know of nothing yet, and the device keeps what it kept. */
async function load() {
  vi.resetModules();
  const { captureInstallPrompt } = await import('./early-prompt.ts');
  vi.stubGlobal('addEventListener', browser.events.addEventListener.bind(browser.events));
  captureInstallPrompt();
  const { installAnswerKey } = await import('#web/platform/session/storage/device-keys.ts');
  return { ...(await import('./install-prompt.ts')), answer: () => installAnswerKey.get() };
}

test('a question that the browser asks before the page is alive is kept, and its own bar stays away', async () => {
  const { followInstallPrompt, installPrompt } = await load();
  const event = offers('accepted');
  browser.events.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  followInstallPrompt();
  expect(installPrompt.get()).toBe(true);
});

test('a question that comes late is told to whoever shows the offer', async () => {
  const { followInstallPrompt, installPrompt } = await load();
  followInstallPrompt();
  const heard = vi.fn();
  installPrompt.subscribe(heard);
  browser.events.dispatchEvent(offers('accepted'));
  expect([heard.mock.calls.length, installPrompt.get()]).toEqual([1, true]);
});

test('a no to the browser is a no for good, and a yes is noted', async () => {
  for (const [outcome, noted] of [
    ['dismissed', 'refused'],
    ['accepted', 'installed'],
  ] as const) {
    const { followInstallPrompt, promptInstall, installPrompt, answer } = await load();
    followInstallPrompt();
    browser.events.dispatchEvent(offers(outcome));
    await promptInstall();
    await promptInstall();
    expect([answer(), installPrompt.get()]).toEqual([noted, false]);
  }
  expect(asked).toBe(2);
});

test('an app that was put there in another way is not offered, and is again when it has been taken away', async () => {
  const { followInstallPrompt, installPrompt, answer } = await load();
  followInstallPrompt();
  browser.events.dispatchEvent(offers('accepted'));
  browser.events.dispatchEvent(new Event('appinstalled'));
  expect([answer(), installPrompt.get()]).toEqual(['installed', false]);
  browser.events.dispatchEvent(offers('accepted'));
  expect([answer(), installPrompt.get()]).toEqual([undefined, true]);
});

test('a no is heeded when the browser asks again', async () => {
  const { followInstallPrompt, dismissInstallOffer, answer } = await load();
  followInstallPrompt();
  browser.events.dispatchEvent(offers('accepted'));
  dismissInstallOffer();
  browser.events.dispatchEvent(offers('accepted'));
  expect(answer()).toBe('refused');
});
