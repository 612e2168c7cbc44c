import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { buttonText } from '#tests/fixtures/changed-build.ts';
import { twoBuilds, type TwoBuilds } from '#tests/fixtures/next-build.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import { expect, test as base } from '#tests/fixtures/test.ts';
import { waitForWorker } from '#tests/fixtures/worker-ready.ts';

interface DeployedShop extends Pick<TwoBuilds, 'scriptOf'> {
  readonly origin: string;
  /** Resolves when pages come from that build. */
  deploy(build: 'current' | 'changed'): Promise<void>;
}

const test = base.extend<object, { deployed: DeployedShop }>({
  deployed: [
    async ({}, use) => {
      const builds = twoBuilds();
      const server = await startServer({ env: { BUILDS_DIR: builds.folder } });
      let served = 'current';
      await use({
        origin: server.origin,
        scriptOf: builds.scriptOf,
        deploy: async (build) => {
          if (build === served) return;
          builds.deploy(build);
          await server.stop();
          await server.restart();
          served = build;
          const home = async () => (await fetch(`${server.origin}/?language=en`)).text();
          await expect.poll(home, { timeout: 20_000 }).toContain(buttonText[build]);
        },
      });
      await server.dispose();
      builds.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

// One server for all tests of this file.
test.describe.configure({ mode: 'default', timeout: 120_000 });

test.beforeEach(({ deployed }) => deployed.deploy('current'));

const addresses = ['/', '/pricing-table', '/plan-details/101', '/login', '/register', '/help', '/privacy', '/orders'];
const hydrated = (page: Page) => page.locator('html[data-hydrated]').waitFor();

async function openEveryPage(page: Page, origin: string): Promise<void> {
  for (const address of addresses) {
    await page.goto(origin + address);
    await hydrated(page);
  }
}

async function acceptUpdate(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/help`);
  await page.getByRole('button', { name: 'Update now' }).click();
  await expect(page.getByRole('button', { name: 'Update now' })).toHaveCount(0);
}

const expectNewBuild = (page: Page) =>
  expect(page.getByRole('link', { name: buttonText.changed }).first()).toBeVisible();

/** The pages of links are not loaded in advance, so a deploy cuts no request for them. */
const loadNothingAhead = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));

// A deploy is a new process: until it listens, connections are refused.
test.use({ expectedErrors: /net::ERR_CONNECTION_REFUSED|status of 503/ });

test('a visitor who returns after a deploy gets every page of the new build despite the HTTP cache @slow', async ({
  page,
  deployed,
}) => {
  await openEveryPage(page, deployed.origin);
  await deployed.deploy('changed');
  await openEveryPage(page, deployed.origin);
  await page.goto(`${deployed.origin}/`);
  await expectNewBuild(page);
});

test('an open tab continues after a deploy with the scripts of its own build', async ({ page, deployed }) => {
  // so the tap has to fetch the next page's scripts
  await loadNothingAhead(page);
  await page.goto(`${deployed.origin}/`);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  await deployed.deploy('changed');
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.locator('a[href="/help"]').first().click();
  await expect(page).toHaveURL(/\/help$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/help/i);
  expect(loads).toBe(0);
  const [own, next] = [deployed.scriptOf('current', 'documents'), deployed.scriptOf('changed', 'documents')];
  expect(own).not.toBe(next);
  const fetched = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  await expect.poll(fetched).toContain(own);
  for (const path of [own, next]) expect((await fetch(deployed.origin + path)).status).toBe(200);
});

test('a partly filled form is still filled in after a deploy and a reload', async ({ page, deployed }) => {
  await loadNothingAhead(page);
  await page.goto(`${deployed.origin}/register`);
  await hydrated(page);
  await page.waitForLoadState('networkidle');
  // the address makes the form load one more script, which the deploy would cut
  const suggestion = page.waitForEvent('requestfinished', (request) => /\/email-suggestion-/.test(request.url()));
  await page.locator('input[name="account"]').fill('ana@example.com');
  await suggestion;
  await deployed.deploy('changed');
  await page.reload();
  await hydrated(page);
  await expect(page.locator('input[name="account"]')).toHaveValue('ana@example.com');
});

test.describe('with a service worker', () => {
  test.use({
    serviceWorkers: 'allow',
    expectedErrors: /net::ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)|status of 503/,
  });

  test('a visitor who returns gets every page, is offered the update and installs it @slow', async ({
    page,
    deployed,
  }) => {
    await openEveryPage(page, deployed.origin);
    await page.goto(`${deployed.origin}/`);
    await waitForWorker(page, 'en');
    await deployed.deploy('changed');
    await openEveryPage(page, deployed.origin);
    await acceptUpdate(page, deployed.origin);
    await openEveryPage(page, deployed.origin);
    await page.goto(`${deployed.origin}/`);
    await expectNewBuild(page);
  });

  test('a deploy while the phone is offline changes nothing there, and every page loads once it is online @slow', async ({
    page,
    context,
    deployed,
  }) => {
    await page.goto(`${deployed.origin}/`);
    await waitForWorker(page, 'en');
    await context.setOffline(true);
    await deployed.deploy('changed');
    await page.goto(`${deployed.origin}/pricing-table`);
    await hydrated(page);
    await expect(page.getByText(/R\$/).filter({ visible: true }).first()).toBeVisible();
    await context.setOffline(false);
    await openEveryPage(page, deployed.origin);
    await acceptUpdate(page, deployed.origin);
    await page.goto(`${deployed.origin}/`);
    await expectNewBuild(page);
  });

  test('a browser that is closed before a deploy and opened after it gets every page @slow', async ({
    deployed,
  }, info) => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-profile-'));
    const { launchOptions, viewport } = info.project.use;
    const open = () =>
      chromium.launchPersistentContext(folder, { ...launchOptions, viewport: viewport ?? null, locale: 'en-US' });
    const before = await open();
    const page = await before.newPage();
    await openEveryPage(page, deployed.origin);
    await page.goto(`${deployed.origin}/`);
    await waitForWorker(page, 'en');
    await before.close();
    await deployed.deploy('changed');
    const after = await open();
    await openEveryPage(await after.newPage(), deployed.origin);
    await after.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
