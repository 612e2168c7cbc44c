import type { Page } from '@playwright/test';
import { languages, type Language } from '../../src/contract/fields.ts';
import { paths, type PathKind } from '../../src/contract/paths.ts';
import { alive } from '../fixtures/checkout.ts';
import { buyByCard, type Customer } from '../fixtures/customer.ts';
import { faultsOf, widthFaults } from '../fixtures/faults.ts';
import { expect, test } from '../fixtures/test.ts';

/** What links of mails lead to. */
const notices = ['activated', 'passwordChanged', 'linkGone', 'emailBound', 'emailNotBound'];

/** What an address needs so that its page has something to show; `mego` sells plan 201. */
const queries = (orderId: string): Readonly<Record<string, readonly string[]>> => ({
  '/payment': ['?planId=202'],
  '/receipt': [`?orderId=${orderId}`],
  '/paymentResult': [`?orderId=${orderId}`],
  '/payment-pix': [`?orderId=${orderId}`],
  '/notice': ['', '?type=stbLoginErr&errCode=201', '?type=cannotBuyPlan', ...notices.map((type) => `?type=${type}`)],
  '/forgot-password': ['', '?reason=upgrade'],
  '/login': ['', '?reason=expired', '?reason=passwordChanged'],
});

/** Every address of a kind in the table of routes. */
function addressesOf(kind: PathKind, orderId = ''): string[] {
  const known = queries(orderId);
  return Object.entries(paths)
    .filter(([, row]) => row.kind === kind)
    .flatMap(([path]) => (known[path] ?? ['']).map((query) => path.replace('{id}', '201') + query));
}

const inLanguage = (address: string, language: Language) =>
  `${address}${address.includes('?') ? '&' : '?'}language=${language}`;

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await alive(page);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

type Look = (page: Page) => Promise<string[]>;

/** Opens address after address and tells what is wrong with each. */
async function walk(page: Page, addresses: readonly string[], look: Look): Promise<void> {
  const faults: string[] = [];
  for (const address of addresses) {
    await open(page, address);
    for (const fault of await look(page)) faults.push(`${address}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

async function signIn(page: Page, origin: string, register: (origin: string) => Promise<Customer>): Promise<string> {
  const customer = await register(origin);
  const { orderId } = await buyByCard(customer, '201', 'USD');
  await open(page, `${origin}/login`);
  await page.locator('input[name="account"]').fill(customer.account);
  await page.locator('input[name="password"]').fill(customer.password);
  await page.locator('main form button[type="submit"]').click();
  await expect(page).toHaveURL(`${origin}/account`);
  return orderId;
}

// The pages of the two errors answer with the status of their error.
test.use({ expectedErrors: /status of (404|500) .*\/(404|500)/ });
test.describe.configure({ timeout: 120_000 });

test.describe('on the narrowest phone', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('everyone can use the public pages, in the longest words', async ({ page, server }) => {
    const addresses = addressesOf('page').map((path) => inLanguage(server.brandOrigin('mego') + path, 'ru'));
    await walk(page, addresses, faultsOf);
  });

  test('everyone can use their own pages, in the longest words', async ({ page, server, registerAt }) => {
    const origin = server.brandOrigin('mego');
    const orderId = await signIn(page, origin, registerAt);
    const addresses = addressesOf('app', orderId).map((path) => inLanguage(origin + path, 'ru'));
    await walk(page, addresses, faultsOf);
  });

  test('no page is wider than the phone, whatever its language', async ({ page, server, registerAt }) => {
    const origin = server.brandOrigin('mego');
    const others = languages.filter((language) => language !== 'ru');
    const everywhere = addressesOf('page').flatMap((path) => others.map((language) => inLanguage(path, language)));
    await walk(
      page,
      everywhere.map((path) => origin + path),
      widthFaults,
    );
    const orderId = await signIn(page, origin, registerAt);
    const own = addressesOf('app', orderId).map((path) => inLanguage(origin + path, 'pt'));
    await walk(page, own, widthFaults);
  });
});

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' });

  test('everyone can read the public pages of both brands', async ({ page, server }) => {
    const mego = addressesOf('page').map((path) => server.brandOrigin('mego') + path);
    const lumen = ['/', '/pricing-table', '/login', '/register'].map((path) => server.origin + path);
    await walk(page, [...mego, ...lumen], faultsOf);
  });
});
