import { ownBuilds, type OwnBuilds } from '../fixtures/next-build.ts';
import { startServer, type ServerProcess } from '../fixtures/server-process.ts';
import { closePages, expect, test as base } from '../fixtures/test.ts';

/** A shop with builds of its own, which runs while the next one comes. */
const test = base.extend<{ deployed: OwnBuilds; deployedShop: ServerProcess }>({
  deployed: async ({}, use) => {
    const builds = ownBuilds();
    await use(builds);
    builds.remove();
  },
  deployedShop: async ({ context, deployed }, use) => {
    const shop = await startServer({ env: { BUILDS_DIR: deployed.folder } });
    await use(shop);
    await closePages(context);
    await shop.dispose();
  },
  // the worker would have kept the part that is gone
  serviceWorkers: 'block',
});

test('an open tab goes on after a deploy without being loaded anew, and the next visit gets the new build @proof', async ({
  page,
  deployed,
  deployedShop,
}) => {
  await page.goto(`${deployedShop.origin}/`);
  await page.locator('html[data-hydrated]').waitFor();
  const { old, fresh } = deployed.deployWithout('help');
  await expect.poll(async () => (await fetch(`${deployedShop.origin}/help`)).text()).toContain(fresh);

  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>('a[href="/help"]');
    if (!link) throw new Error('The page has no link to the help');
    link.click();
  });
  await expect(page).toHaveURL(/\/help$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/help/i);
  expect(loads).toBe(0);
  const fetched = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  expect(await fetched()).toContain(old);

  // somebody else: scripts of this made-up build have kept their names, and this browser has the former ones
  const html = await (await fetch(`${deployedShop.origin}/help`)).text();
  expect(html).toContain(fresh);
  expect(html).not.toContain(old);
  for (const path of [old, fresh]) expect((await fetch(deployedShop.origin + path)).status).toBe(200);
});
