import type { Page } from '@playwright/test';
import { shellPath } from '#contract/worker.ts';
import { startDeployment, type Deployment } from '#tests/fixtures/deployment.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

// Proxies, captive portals and lost connections make requests fail, which the browser logs in its console.
test.use({ serviceWorkers: 'allow' });

test.use({
  expectedErrors:
    /net::ERR_|status of 5\d\d|Failed to load|Failed to fetch|network unreachable|MIME|Manifest|ServiceWorker|404/,
});

const savedCopy = (page: Page) => page.getByText(/Saved copy from .*20\d\d/);
const prices = (page: Page) => page.getByText(/R\$/).filter({ visible: true });

/** Everything in the caches of this origin, as text. */
const cachedTexts = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const opened = await Promise.all(names.map((name) => caches.open(name)));
    const found = await Promise.all(
      opened.map(async (cache) => Promise.all((await cache.keys()).map((key) => cache.match(key)))),
    );
    return Promise.all(found.flat().map(async (response) => (await response?.text()) ?? ''));
  });

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test('a proxy error and a captive portal count as offline, and no foreign content is cached @slow', async ({
  page,
  deployment,
}) => {
  await page.goto(`${deployment.origin}/pricing-table`);
  await waitForWorker(page, 'en');
  const price = await prices(page).first().innerText();

  deployment.replace('proxy');
  await page.goto(`${deployment.origin}/pricing-table`);
  await expect(prices(page).first()).toHaveText(price);
  await expect(savedCopy(page)).toBeVisible();
  await expect(page).toHaveTitle(/Lumen/);
  // An unknown address shows the error page of the brand, as it does online.
  await page.goto(`${deployment.origin}/no-such-page`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/Lumen/);
  await page.goto(`${deployment.origin}/pricing-table`);
  await expect(savedCopy(page)).toBeVisible();
  deployment.mend();
  await expect(savedCopy(page)).toHaveCount(0, { timeout: 10_000 });

  deployment.replace('wifi');
  await page.evaluate(async () => {
    const pictures = ['/icons/lumen/icon.svg', '/icons/lumen/favicon.svg', '/icons/lumen/icon-192.png'];
    await Promise.all([...pictures, '/api/site/theme/v1'].map((path) => fetch(path)));
  });
  await page.goto(`${deployment.origin}/help`);
  await expect(page.getByText('Wi-Fi of the hotel')).toBeVisible();
  deployment.mend();
  await page.goto(`${deployment.origin}/pricing-table`);
  await expect(prices(page).first()).toHaveText(price);
  await expect(savedCopy(page)).toHaveCount(0);
  const cached = await cachedTexts(page);
  expect(cached.length).toBeGreaterThan(20);
  expect(cached.filter((text) => /Wi-Fi of the hotel|Temporarily/.test(text))).toEqual([]);
});

test('a response header removes the worker and its caches, and the session remains @slow', async ({
  page,
  deployment,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  const stored = () => page.evaluate(() => localStorage.getItem('marquee.me.userInfo'));
  const before = await stored();
  expect(before).toContain('token');

  deployment.add('x-service-worker', 'off');
  await page.goto(`${deployment.origin}/orders`);
  await expect.poll(() => registrations(page)).toBe(0);
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['worker-off']);
  await expect(page).toHaveURL(/\/(orders|account)$/);
  expect(await stored()).toBe(before);

  // The worker is not installed again while the header is sent.
  const headerRead = page.waitForResponse((answer) => answer.request().method() === 'HEAD');
  await page.goto(`${deployment.origin}/pricing-table`);
  await expect(prices(page).first()).toBeVisible();
  expect((await headerRead).url()).toBe(deployment.origin + shellPath);
  await waitForIdle(page);
  expect(await page.evaluate(() => caches.keys())).toEqual(['worker-off']);
  expect(await registrations(page)).toBe(0);
  deployment.mend();
  await page.reload();
  await waitForWorker(page, 'en');
});

test('WORKER=off removes the worker at the next visit, and it returns with the setting @slow', async ({
  page,
  deployment,
  server,
}) => {
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
  const serverWithoutWorker = await startServer({ env: { WORKER: 'off' } });
  try {
    deployment.moveTo(serverWithoutWorker.port);
    await page.goto(`${deployment.origin}/register`);
    await page.locator('html[data-hydrated]').waitFor();
    await page.locator('input[name="account"]').fill('ana@example.com');
    await expect.poll(() => registrations(page)).toBe(0);
    expect((await page.evaluate(() => caches.keys())).filter((name) => name !== 'worker-off')).toEqual([]);
    await expect(page.locator('input[name="account"]')).toHaveValue('ana@example.com');
    await page.goto(`${deployment.origin}/help`);
    await page.locator('html[data-hydrated]').waitFor();
    expect(await registrations(page)).toBe(0);
  } finally {
    deployment.moveTo(server.port);
    await serverWithoutWorker.dispose();
  }
  await page.goto(`${deployment.origin}/help`);
  await waitForWorker(page, 'en');
});

test('a new name and colour of the brand are shown offline after one visit @slow', async ({
  page,
  context,
  ownServer,
}) => {
  await page.goto(`${ownServer.origin}/help`);
  await waitForWorker(page, 'en');
  await ownServer.stop();
  await ask(ownServer.database, `update brands set name = 'Aurora', theme_color = '#0a7f5a' where code = 'lumen'`);
  await ownServer.restart();
  await page.goto(`${ownServer.origin}/`);
  await expect(page).toHaveTitle(/Aurora/);
  const cached = () => page.evaluate(async () => (await (await caches.match('/kept-state'))?.text()) ?? '');
  await expect.poll(cached).toContain('Aurora');
  await waitForWorker(page, 'en');

  await context.setOffline(true);
  const shell = page.waitForResponse((response) => response.request().isNavigationRequest());
  await page.goto(`${ownServer.origin}/pricing-table`);
  expect(await (await shell).text()).not.toContain('"name":"Lumen","themeColor"');
  await expect(page).toHaveTitle(/Aurora/);
  await expect(prices(page).first()).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))).toBe(
    '#0a7f5a',
  );
  await expect(page.getByText('Lumen')).toHaveCount(0);
});
