import type { Page } from '@playwright/test';
import { languages, type Language } from '#contract/fields.ts';
import { goodsValuation } from '#contract/index.ts';
import { waitForHydration, chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { aCustomerOf, addressesOf } from '#tests/fixtures/every-page.ts';
import { expectNoFaults, faultsOf, widthFaults } from '#tests/fixtures/faults.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const inLanguage = (address: string, language: Language) =>
  `${address}${address.includes('?') ? '&' : '?'}language=${language}`;

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

type FindFaults = (page: Page) => Promise<string[]>;

/** Opens each address and collects its accessibility faults. */
async function expectNoFaultsAt(page: Page, addresses: readonly string[], findFaults: FindFaults): Promise<void> {
  const faults: string[] = [];
  for (const address of addresses) {
    await open(page, address);
    await expectOwnPage(page, address);
    for (const fault of await findFaults(page)) faults.push(`${address}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

/** Finds what is too wide in other languages. They are selected on the page, so that only their messages load. */
async function widthFaultsIn(page: Page, others: readonly Language[]): Promise<string[]> {
  const faults: string[] = [];
  const choice = page.locator('select:has(option[lang])').first();
  for (const language of others) {
    const t = await loadTranslate(language);
    await choice.selectOption(language);
    await expect(choice).toHaveAccessibleName(t('Language'));
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    for (const fault of await widthFaults(page)) faults.push(`${language} ${fault}`);
  }
  return faults;
}

/** Fails if a payment step or a receipt redirects to another page. */
async function expectOwnPage(page: Page, address: string): Promise<void> {
  const { pathname } = new URL(address);
  if (/^\/(payment|paynow|caishen|receipt)/.test(pathname)) expect(new URL(page.url()).pathname).toBe(pathname);
}

// The error pages respond with the status of their error, as does the request for a payment that belongs to no
// customer.
test.use({ expectedErrors: /status of 404 .*\/(404|payment-info\/detail)/ });
test.describe.configure({ timeout: 120_000 });

test.describe('on a desktop, with the price beside the methods', () => {
  test.use(desktop);

  test('a price remains readable while a new price loads @slow', async ({ page, cutter, customer, beSignedIn }) => {
    await beSignedIn(page, customer);
    await visit(page, `${cutter.origin}/payment?planId=101`);
    const summary = page.locator('form [aria-busy]').filter({ hasText: 'Total' });
    await expect(summary).toHaveAttribute('aria-busy', 'false');
    const release = cutter.hold(goodsValuation.path);
    await chooseMethod(page, 'pix');
    await expect(summary).toHaveAttribute('aria-busy', 'true');
    await expectNoFaults(page);
    release();
    await expect(summary).toHaveAttribute('aria-busy', 'false');
  });
});

test.describe('on the narrowest phone', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the public pages are accessible in Russian, and fit the screen in every language @slow', async ({
    page,
    server,
  }) => {
    const addresses = addressesOf('page').map((path) => inLanguage(server.brandOrigin('mego') + path, 'ru'));
    const others = languages.filter((language) => language !== 'ru');
    await expectNoFaultsAt(page, addresses, async () => [
      ...(await faultsOf(page)),
      ...(await widthFaultsIn(page, others)),
    ]);
  });

  test('the pages of a customer are accessible in Russian, and fit the screen in Portuguese @slow', async ({
    page,
    server,
    registerAt,
    beSignedIn,
  }) => {
    const origin = server.brandOrigin('mego');
    const { customer, orders } = await aCustomerOf(origin, registerAt);
    await beSignedIn(page, customer);
    const addresses = addressesOf('app', orders).map((path) => inLanguage(origin + path, 'ru'));
    await expectNoFaultsAt(page, addresses, async () => [
      ...(await faultsOf(page)),
      ...(await widthFaultsIn(page, ['pt'])),
    ]);
  });
});

test.describe('in dark mode', () => {
  test.use({ colorScheme: 'dark' });

  test('the public pages of both brands are accessible', async ({ page, server }) => {
    const mego = addressesOf('page').map((path) => server.brandOrigin('mego') + path);
    const lumen = ['/', '/pricing-table', '/login', '/register'].map((path) => server.origin + path);
    await expectNoFaultsAt(page, [...mego, ...lumen], faultsOf);
  });
});

for (const [name, screen] of Object.entries({ phone: {}, desktop, TV: tv }))
  test.describe(name, () => {
    test.use(screen);

    test('the open list of plans at the checkout is accessible in every language @slow', async ({
      page,
      server,
      registerAt,
      beSignedIn,
    }) => {
      const origin = server.brandOrigin('mego');
      await beSignedIn(page, await registerAt(origin));
      for (const language of languages) {
        const t = await loadTranslate(language);
        await open(page, `${origin}/payment?planId=201&language=${language}`);
        const change = new RegExp(`^${t('Change<0> {0}</0>').replace(/<.*/, '')}`);
        await page.getByRole('button', { name: change, expanded: false }).first().click();
        await expect(
          page
            .getByRole('list', { name: t('Plans') })
            .getByRole('listitem')
            .first(),
        ).toBeVisible();
        await expectNoFaults(page);
      }
    });
  });
