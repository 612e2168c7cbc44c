import type { Page } from '@playwright/test';
import { languages } from '../../src/contract/fields.ts';
import { paths } from '../../src/contract/paths.ts';
import { buyByCard, type Customer } from '../fixtures/customer.ts';
import { faultsOf } from '../fixtures/faults.ts';
import { expect, test } from '../fixtures/test.ts';

/** An address for every route of the table; `mego` sells plan 201. */
function addressesOf(kind: 'page' | 'app', orderId = ''): string[] {
  const queries: Record<string, string> = {
    '/payment': '?planId=202',
    '/receipt': `?orderId=${orderId}`,
    '/paymentResult': `?orderId=${orderId}`,
    '/payment-pix': `?orderId=${orderId}`,
    '/notice': '?type=stbLoginErr&errCode=201',
  };
  return Object.entries(paths)
    .filter(([, row]) => row.kind === kind)
    .map(([path]) => path.replace('{id}', '201') + (queries[path] ?? ''));
}

async function check(page: Page, addresses: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    for (const fault of await faultsOf(page)) faults.push(`${address}: ${fault}`);
  }
  expect(faults).toEqual([]);
}

async function buyer(origin: string, register: (origin: string) => Promise<Customer>) {
  const customer = await register(origin);
  const { orderId } = await buyByCard(customer, '201', 'USD');
  return { customer, orderId };
}

// The pages of the two errors answer with the status of their error.
test.use({ expectedErrors: /status of (404|500) .*\/(404|500)/ });

for (const language of languages) {
  test(`everyone can use the public pages in ${language}`, async ({ page, server }) => {
    test.setTimeout(120_000);
    const at = (path: string) =>
      server.brandOrigin('mego') + path + (path.includes('?') ? '&' : '?') + `language=${language}`;
    await check(page, addressesOf('page').map(at));
  });

  test(`everyone can use the pages of a customer in ${language}`, async ({ page, server, registerAt, logIn }) => {
    test.setTimeout(120_000);
    const origin = server.brandOrigin('mego');
    const { customer, orderId } = await buyer(origin, registerAt);
    const at = (path: string) => origin + path + (path.includes('?') ? '&' : '?') + `language=${language}`;
    await page.goto(at('/login'));
    await logIn(page, customer);
    await check(page, addressesOf('app', orderId).map(at));
  });
}

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' });

  test('everyone can read the public pages', async ({ page, server }) => {
    test.setTimeout(120_000);
    await check(
      page,
      addressesOf('page').map((path) => server.brandOrigin('mego') + path),
    );
    await check(
      page,
      addressesOf('page').map((path) => server.origin + path.replace('201', '101')),
    );
  });
});
