import type { Page } from '@playwright/test';
import { paymentInfo } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { startCutter } from '#tests/fixtures/connection-cutter.ts';
import { closePages, expect, test } from '#tests/fixtures/test.ts';
import { pointer } from '#tests/fixtures/payment-flows/input-drivers.ts';
import {
  checkoutAddress,
  expectStep,
  advanceTime,
  payBy,
  type Journey,
} from '#tests/fixtures/payment-flows/journey.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** Simulates a return from the app of a bank: the page requests the status of the payment at once. */
const returnToPage = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));

test('a tap for a new code takes effect while the page requests the status of the previous one @slow', async ({
  page,
  context,
  browser,
  shop,
  registerAt,
  beSignedIn,
}) => {
  const way = ways.find(({ name }) => name === 'Pix');
  if (!way) throw new Error('Nobody pays by Pix');
  const wire = await startCutter(shop.port);
  const customer = await registerAt(shop.origin);
  await beSignedIn(page, customer);
  const t = await loadTranslate('en');
  const journey: Journey = { way, page, context, browser, server: shop, customer, driver: pointer, t, phone: '' };
  await visit(page, wire.origin + checkoutAddress(way));
  await payBy(journey);
  await expectStep(journey);

  await advanceTime(journey);
  await expect(page.getByRole('heading', { name: 'This code has expired' })).toBeVisible({ timeout: 20_000 });
  const again = page.getByRole('button', { name: 'Generate a new code' });
  const release = wire.hold(paymentInfo.path);
  await returnToPage(page);
  await expect.poll(() => wire.held(paymentInfo.path)).toBeGreaterThan(0);
  const { x = 0, y = 0, width = 0, height = 0 } = (await again.boundingBox()) ?? {};
  // Clicks its position, as a finger does, without waiting until the button is enabled.
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(again).toHaveAttribute('aria-busy', 'true');
  release();
  await expectStep(journey);
  await closePages(context);
  await wire.close();
});
