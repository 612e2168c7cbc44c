import { languages } from '#contract/fields.ts';
import { startDeployment } from '#tests/fixtures/deployment.ts';
import { expect, test } from '#tests/fixtures/test.ts';

/** Public pages of the brand Mego, which has all four languages, with a text of each in English. */
const pages = [
  { path: '/', says: /plan/i },
  { path: '/pricing-table', says: /\$4\.99/ },
  { path: '/plan-details/201', says: /\$4\.99/ },
  { path: '/help', says: /help/i },
  { path: '/privacy', says: /privacy/i },
  { path: '/login', says: /password/i },
  { path: '/register', says: /account/i },
] as const;

test.use({ javaScriptEnabled: false });

for (const { path, says } of pages) {
  test(`a visitor without JavaScript reads ${path} completely`, async ({ page, server }) => {
    const origin = server.brandOrigin('mego');
    const answer = await page.goto(origin + path);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('main')).toContainText(says);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page).toHaveTitle(/Mego/);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /\S{3}/);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', origin + path);
    for (const language of languages) {
      const alternate = page.locator(`link[rel="alternate"][hreflang^="${language}"]`);
      // The plain address has the default language of the brand.
      const query = language === 'en' ? '' : `?language=${language}`;
      await expect(alternate).toHaveAttribute('href', `${origin}${path}${query}`);
    }
  });
}

test('every page has its own title and description', async ({ page, server }) => {
  const titles = new Set<string>();
  const descriptions = new Set<string | null>();
  for (const { path } of pages) {
    await page.goto(server.brandOrigin('mego') + path);
    titles.add(await page.title());
    descriptions.add(await page.locator('meta[name="description"]').getAttribute('content'));
  }
  expect(titles.size).toBe(pages.length);
  expect(descriptions.size).toBe(pages.length);
});

test('a visitor without JavaScript gets from home to the plans, a plan and its price', async ({ page }) => {
  await page.goto('/?language=en');
  await page
    .getByRole('main')
    .getByRole('link', { name: /discover plans/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/pricing-table/);
  await expect(page.getByText('Final price may vary after login')).toBeVisible();
  await page
    .locator('label')
    .filter({ hasText: /^Month/ })
    .click();
  await page.locator('a[href^="/plan-details/101"]').first().click();
  await expect(page).toHaveURL(/\/plan-details\/101/);
  await expect(page.getByRole('main')).toContainText(/R\$\s?19[.,]90/);
});

test('an address with a language shows and declares that language', async ({ page, server }) => {
  const headings = new Set<string>();
  for (const language of languages) {
    await page.goto(`${server.brandOrigin('mego')}/pricing-table?language=${language}`);
    await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
    headings.add(await page.getByRole('heading', { level: 1 }).innerText());
  }
  expect(headings.size).toBe(languages.length);
});

test('a personal page without JavaScript says so at once, and links to the plans @slow', async ({ page }) => {
  for (const path of ['/orders', '/payment?planId=101']) {
    await page.goto(path);
    await expect(page.getByText('It needs JavaScript and a connection')).toBeVisible();
  }
  await page.getByRole('link', { name: 'See plans' }).click();
  await expect(page.getByText('Final price may vary after login')).toBeVisible();
});

test.describe('when the first script does not load', () => {
  test.use({ javaScriptEnabled: true, serviceWorkers: 'block', expectedErrors: /404|Failed to (load|fetch)/ });

  test('a message replaces the loading indicator, and a tap loads the page again', async ({ page, server }) => {
    const deployment = await startDeployment(server.port);
    deployment.lose(/^\/assets\/index-/);
    // until then the page is still being repaired, and would reload by itself as soon as the script is back
    const gaveUp = page.waitForRequest(
      (request) => request.url().endsWith('/start-reports') && !!request.postData()?.includes('plain page'),
    );
    await page.goto(`${deployment.origin}/receipt`);
    const message = page.getByText('This page hasn’t loaded');
    await expect(message).toBeVisible();
    await gaveUp;
    deployment.mend();
    await page.getByRole('link', { name: 'Reload' }).click();
    await page.locator('html[data-hydrated]').waitFor();
    await expect(message).toHaveCount(0);
    await deployment.close();
  });
});

test.describe('at an unknown address', () => {
  test.use({ expectedErrors: /status of 404/ });

  test('a visitor reads that the page does not exist, and the status is 404', async ({ page }) => {
    const answer = await page.goto('/no-such-page');
    expect(answer?.status()).toBe(404);
    await expect(page).toHaveURL(/\/404$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('a[href="/"]').first()).toBeVisible();
  });
});

test('each brand has its own name, colours, plans and currency', async ({ page, server }) => {
  await page.goto(`${server.origin}/pricing-table?language=en`);
  await expect(page).toHaveTitle(/Lumen/);
  const lumen = await page.getByRole('main').innerText();
  await page.goto(`${server.brandOrigin('mego')}/pricing-table?language=en`);
  await expect(page).toHaveTitle(/Mego/);
  const mego = await page.getByRole('main').innerText();
  expect(lumen).toContain('R$');
  expect(mego).not.toContain('R$');
  // The hash of a script may contain any letters.
  expect((await page.content()).replaceAll(/sha256-[\w+/]+=*/g, '')).not.toMatch(/lumen/i);
});
