import type { Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// Requests fail while the shop is down, and while there is no network.
test.use({ expectedErrors: /net::ERR_(INTERNET_DISCONNECTED|FAILED|CONNECTION_REFUSED)|network unreachable/ });

const note = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const shopIsDown = 'The shop isn’t responding';
const deviceIsOffline = 'No connection. What was saved on this device is still here.';

test('a shop that is down is told from a device without a network, each time in its own words', async ({
  page,
  context,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await page.route(/\/(api|readyz)\b/, (route) => route.abort('connectionrefused'));
  await visit(page, '/receipts');
  await expect(note(page, shopIsDown)).toBeVisible();
  const heading = page.getByRole('main').getByRole('heading', { name: shopIsDown });
  await expect(heading).toBeVisible();
  await expect(note(page, deviceIsOffline)).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(note(page, deviceIsOffline)).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  await expect(note(page, shopIsDown)).toHaveCount(0);

  // nothing has to be tapped when both are back
  await page.unrouteAll();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Receipts' })).toBeVisible();
  await expect(heading).toHaveCount(0);
  await expect(note(page, deviceIsOffline)).toHaveCount(0);
});
