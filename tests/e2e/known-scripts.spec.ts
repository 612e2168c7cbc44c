import type { Page } from '@playwright/test';
import { paths } from '../../src/contract/paths.ts';
import { alive, visit } from '../fixtures/checkout.ts';
import { startDeployment, type Deployment } from '../fixtures/deployment.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { waitForWorker } from '../fixtures/worker-ready.ts';

const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    const deployment = await startDeployment(server.port);
    await use(deployment);
    await deployment.close();
  },
});

const addresses = Object.keys(paths).map((pattern) => pattern.replace('{id}', '101'));

/** Scripts that the page has asked for and whose hash it does not know; tags that name a script without a hash. */
async function unknownScripts(page: Page): Promise<string[]> {
  await expect(page.locator('script[data-rest]')).toHaveCount(0);
  return page.evaluate(() => {
    const maps = [...document.querySelectorAll('script[type="importmap"]')];
    const known = new Set(
      maps.flatMap(({ textContent }) =>
        // as: the build writes it
        Object.keys((JSON.parse(textContent) as { integrity: Record<string, string> }).integrity),
      ),
    );
    const loaded = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js') && path !== '/sw.js');
    const tags = [...document.querySelectorAll('#root ~ script[src], #root ~ link[rel="modulepreload"]')];
    const bare = tags.filter((tag) => !tag.hasAttribute('integrity')).map((tag) => tag.outerHTML);
    if (loaded.length === 0) bare.push('no script at all');
    return [...bare, ...loaded.filter((path) => !known.has(path))];
  });
}

test.use({ serviceWorkers: 'allow' });

test.describe('at any address', () => {
  // the pages of these two say what they are
  test.use({ expectedErrors: /\/(404|500)\)$/ });

  test('a page runs scripts whose hash it brought, and no other @proof', async ({ page }) => {
    test.setTimeout(120_000);
    for (const address of addresses) {
      const opened = await page.goto(address);
      expect(opened?.headers()['integrity-policy'], address).toContain('blocked-destinations=(script)');
      await alive(page);
      expect(await unknownScripts(page), address).toEqual([]);
    }
  });
});

test.describe('a stranger on the wire', () => {
  test.use({ expectedErrors: /integrity|Failed to (load|fetch)|error loading dynamically/i });

  test('who changes a script, or brings one of their own, does not get it run', async ({ page, deployment }) => {
    await visit(page, `${deployment.origin}/help`);
    const run = (path: string) =>
      page.evaluate(
        (address) =>
          import(address).then(
            () => 'ran',
            () => 'stopped',
          ),
        deployment.origin + path,
      );
    await expect(page.locator('script[data-rest]')).toHaveCount(0);
    const known = await page.locator('script[type="importmap"]').last().textContent();
    const [first = '', second = ''] = known?.match(/\/assets\/(lost-password|receipt)-[^"]*\.js/g) ?? [];
    expect(await run(first)).toBe('ran');
    deployment.tamper(/^\/assets\//);
    expect(await run(second)).toBe('stopped');
    deployment.mend();
    // the same text under a name that no build has
    expect(await run(`${second}?mine`)).toBe('stopped');
  });
});

test.describe('on a phone without network', () => {
  test.use({ expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

  test('a shop that was visited before starts, and its scripts are checked as well @proof', async ({
    page,
    context,
  }) => {
    await visit(page, '/help');
    await waitForWorker(page, 'en');
    await context.setOffline(true);
    await visit(page, '/privacy');
    expect(await unknownScripts(page)).toEqual([]);
    await page.getByRole('link', { name: 'Plans' }).first().click();
    await expect(page).toHaveURL(/pricing-table/);
    expect(await unknownScripts(page)).toEqual([]);
    await context.setOffline(false);
  });
});
