/** A language that is chosen while a part of the server's HTML is not hydrated yet. */
import type { Locator } from '@playwright/test';
import { waitForHydration } from '#tests/fixtures/checkout.ts';
import { delayRequests } from '#tests/fixtures/delay-requests.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** Whether React has taken over the element, by the private property that it then has. */
const isHydrated = (element: Locator) =>
  element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactFiber')));

/** Runs in the page: React's scheduled work, but not its synchronous renders, waits between two events. */
function holdReactTasks(): void {
  let held: (() => void)[] | undefined;
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function post(...message: unknown[]) {
    const send = () => void Reflect.apply(postMessage, this, message);
    if (held) held.push(send);
    else send();
  };
  addEventListener('test:hold', () => (held = []));
  addEventListener('test:release', () => {
    const waiting = held ?? [];
    held = undefined;
    for (const send of waiting) send();
  });
}

for (const whole of [true, false]) {
  const what = whole ? 'page' : 'last part of the page';
  test(`a ${what} that is hydrated after a language change is shown in that language, without an error`, async ({
    page,
  }) => {
    const t = await loadTranslate('pt');
    await page.addInitScript(holdReactTasks);
    // the script of the part that is hydrated last
    const release = await delayRequests(page, '**/passkeys-*.js');
    const last = page.getByRole('button', { name: 'Continue with Google' });
    await page.goto('/login', { waitUntil: 'commit' });
    await waitForHydration(page);
    if (!whole) await expect.poll(() => isHydrated(page.getByRole('heading', { level: 1 }))).toBe(true);
    await page.evaluate(() => dispatchEvent(new Event('test:hold')));
    const loaded = page.waitForEvent('requestfinished', (request) => /\/passkeys-[^/]+\.js$/.test(request.url()));
    await release();
    const script = (await loaded).url();
    await page.evaluate((address) => import(address), script);
    expect(await isHydrated(last)).toBe(false);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Log in'));
    await page.evaluate(() => dispatchEvent(new Event('test:release')));
    const translated = page.getByRole('button', { name: t('Continue with Google') });
    await expect(translated).toBeVisible();
    await expect.poll(() => isHydrated(translated)).toBe(true);
  });
}
