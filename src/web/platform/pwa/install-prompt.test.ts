import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';

let browser: TestBrowser;
let asked = 0;

beforeEach(() => {
  asked = 0;
  browser = openBrowser();
});
afterEach(() => vi.unstubAllGlobals());

/** The browser's event; the customer answers its prompt with `outcome`. */
function offers(outcome: 'accepted' | 'dismissed'): Event {
  return Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: () => Promise.resolve(void (asked += 1)),
    userChoice: Promise.resolve({ outcome }),
  });
}

/** A freshly loaded page: its modules have no state, and the device's storage is unchanged. */
async function load() {
  vi.resetModules();
  const { captureInstallPrompt } = await import('./early-prompt.ts');
  vi.stubGlobal('addEventListener', browser.events.addEventListener.bind(browser.events));
  captureInstallPrompt();
  const { installAnswerKey } = await import('#web/platform/session/storage/device-keys.ts');
  return { ...(await import('./install-prompt.ts')), answer: () => installAnswerKey.get() };
}

test('a prompt that arrives before hydration is stored, and the browser shows no bar of its own', async () => {
  const { followInstallPrompt, installPrompt } = await load();
  const event = offers('accepted');
  browser.events.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  followInstallPrompt();
  expect(installPrompt.get()).toBe(true);
});

test('a prompt that arrives late makes the offer appear', async () => {
  const { followInstallPrompt, installPrompt } = await load();
  followInstallPrompt();
  const heard = vi.fn();
  installPrompt.subscribe(heard);
  browser.events.dispatchEvent(offers('accepted'));
  expect([heard.mock.calls.length, installPrompt.get()]).toEqual([1, true]);
});

test('a refused browser prompt is refused permanently, and an installation is recorded', async () => {
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

test('an app that was installed by other means is not offered, and is offered again after its removal', async () => {
  const { followInstallPrompt, installPrompt, answer } = await load();
  followInstallPrompt();
  browser.events.dispatchEvent(offers('accepted'));
  browser.events.dispatchEvent(new Event('appinstalled'));
  expect([answer(), installPrompt.get()]).toEqual(['installed', false]);
  browser.events.dispatchEvent(offers('accepted'));
  expect([answer(), installPrompt.get()]).toEqual([undefined, true]);
});

test('a refusal still counts when the browser sends another prompt', async () => {
  const { followInstallPrompt, dismissInstallOffer, answer } = await load();
  followInstallPrompt();
  browser.events.dispatchEvent(offers('accepted'));
  dismissInstallOffer();
  browser.events.dispatchEvent(offers('accepted'));
  expect(answer()).toBe('refused');
});
