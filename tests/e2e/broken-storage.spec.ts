/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { breakStores, brokenStores } from '#tests/fixtures/broken-stores.ts';
import { waitForHydration, chooseMethod, fillPayer, nextButton, visit } from '#tests/fixtures/checkout.ts';
import type { Customer } from '#tests/fixtures/customer.ts';
import { startDeployment, type Deployment } from '#tests/fixtures/deployment.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { newBuildArrives, waitForWorker } from '#tests/fixtures/worker-ready.ts';

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

/** Runs in the page: whether it is hydrated and nothing is loading. */
const isComplete = () =>
  'hydrated' in document.documentElement.dataset && document.querySelector('main [aria-busy=true]') === null;

const complete = (page: Page) => page.waitForFunction(isComplete);

const navLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

async function logInFrom(page: Page, address: string, { account, password }: Customer): Promise<void> {
  await visit(page, `/login?return=${encodeURIComponent(address)}`);
  await page.locator('input[autocomplete^="username"]').fill(account);
  await page.locator('input[autocomplete="current-password"]').fill(password);
  await page.locator('form button[type="submit"]').click();
  await page.waitForURL((url) => url.pathname + url.search === address || url.pathname === address.split('?')[0]);
}

for (const how of brokenStores) {
  // stores that wait for ever break more than stores that fail at once
  const rare = how === 'never answer' ? '' : ' @slow';
  test.describe(`when the stores of the browser ${how}`, () => {
    // A worker would have the missing script in its cache.
    test.use({ serviceWorkers: 'block', expectedErrors: /ERR_FAILED|A part of the page is missing/ });
    test.beforeEach(({ page }) => page.addInitScript(breakStores, how));

    test(`a customer sees the account and the orders, logs out, logs in again and starts a payment${rare}`, async ({
      page,
      customer,
    }) => {
      await logInFrom(page, '/account', customer);
      await expect(page.getByRole('main')).toContainText(customer.account);
      await navLink(page, 'Orders').click();
      await expect(page).toHaveURL(/\/orders$/);
      await complete(page);
      await navLink(page, 'Account').click();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await expect(page).toHaveURL(/\/$/);
      await expect(page.getByRole('button', { name: 'Log out', exact: true })).toHaveCount(0);
      await expect(page.locator('header a[href^="/login"]')).toBeVisible();

      await logInFrom(page, '/payment?planId=101', customer);
      await chooseMethod(page, 'pix');
      await fillPayer(page);
      await nextButton(page).click();
      await expect(page.getByRole('heading', { name: 'Pay with Pix' })).toBeVisible();
    });

    test(`a page whose script is missing after a deploy reloads once${rare}`, async ({ page }) => {
      let documents = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents += 1;
      });
      await page.route('**/assets/documents-*.js', (route) => (documents === 1 ? route.abort() : route.fallback()));
      await visit(page, '/pricing-table');
      await page.locator('a[href="/help"]').first().click();
      await expect.poll(() => documents).toBe(2);
      await waitForHydration(page);
      await page.locator('a[href="/help"]').first().click();
      await expect(page).toHaveURL(/\/help$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/help/i);
      expect(documents).toBe(2);
    });
  });
}

/**
 * Far above the time on a busy machine, and below the 15 s of a page that waits for its stores. Unit tests check the
 * real limits.
 */
const completeLimitMs = 10_000;

test('when the stores never answer, the pages of a customer load without saved copies', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await page.addInitScript(breakStores, 'never answer' as const);
  for (const address of ['/account', '/orders', '/payment?planId=101']) {
    await visit(page, address);
    const hydratedAt = Date.now();
    await complete(page);
    expect(Date.now() - hydratedAt, address).toBeLessThan(completeLimitMs);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByText('This page hasn’t loaded')).toBeHidden();
  }
});

test.describe('when the stores of the worker never answer', () => {
  test.use({ serviceWorkers: 'allow' });

  test('pages, scripts, data and images load from the network, and a new build is installed', async ({
    page,
    deployment,
  }) => {
    await page.goto(`${deployment.origin}/help`);
    await waitForWorker(page, 'en');
    await page.evaluate(async () => {
      const { port1, port2 } = new MessageChannel();
      const done = new Promise((resolve) => port1.addEventListener('message', resolve, { once: true }));
      port1.start();
      navigator.serviceWorker.controller?.postMessage('stores hang', [port2]);
      await done;
    });
    const answer = await page.goto(`${deployment.origin}/pricing-table`);
    expect(answer?.fromServiceWorker()).toBe(true);
    await waitForHydration(page);
    await expect(page.getByText(/R\$/).filter({ visible: true }).first()).toBeVisible();
    const paths = ['/icons/lumen/icon.svg', '/api/site/theme/v1', '/icons/lumen/favicon.svg'];
    const statuses = await page.evaluate(
      (all) => Promise.all(all.map(async (path) => (await fetch(path)).status)),
      paths,
    );
    expect(statuses).toEqual(paths.map(() => 200));

    await newBuildArrives(page, deployment);
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Update now' }).click();
    await reloaded;
    await waitForHydration(page);
  });
});
