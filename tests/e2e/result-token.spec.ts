import type { Page } from '@playwright/test';
import { paymentInfo } from '#contract/index.ts';
import { waitForHydration } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { cachedPaths, waitForWorker } from '#tests/fixtures/worker-ready.ts';
import { findIn, placesOfPage } from '#tests/fixtures/traces.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ serviceWorkers: 'allow' });

const paid = (page: Page) => page.getByRole('heading', { name: 'Payment received' });
const unknown = (page: Page) => page.getByRole('heading', { name: 'We couldn’t find this payment' });

test('a return from a payment in a signed-out browser shows the outcome, and leaves no token behind @slow', async ({
  page,
  customer,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  const { resultToken } = await customer.call(paymentInfo, { body: { orderId } });
  const clean = new RegExp(`/paymentResult\\?orderId=${orderId}$`);
  for (const address of [
    `/paymentResult/orderId/${orderId}/token/${resultToken}?language=en`,
    `/paymentResult?orderId=${orderId}&token=${resultToken}&language=en`,
  ]) {
    const answer = await page.goto(address);
    expect(answer?.headers()['cache-control']).toBe('no-store');
    expect(await answer?.text()).not.toContain(resultToken);
    await waitForHydration(page);
    await expect(page).toHaveURL(clean);
    await expect(paid(page)).toBeVisible();
    expect(findIn(await placesOfPage(page), [resultToken])).toEqual([]);
  }
  await page.reload();
  await expect(paid(page)).toBeVisible();
  await waitForWorker(page, 'en');
  expect((await cachedPaths(page)).join('\n')).not.toContain(resultToken);
});

test('an address without a token does not show a payment, even in another tab of the same browser', async ({
  page,
  context,
  customer,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  await page.goto(`/paymentResult?orderId=${orderId}`);
  await waitForHydration(page);
  await expect(unknown(page)).toBeVisible();
  await expect(paid(page)).toHaveCount(0);
  const { resultToken } = await customer.call(paymentInfo, { body: { orderId } });
  await page.goto(`/paymentResult?orderId=${orderId}&token=${resultToken}`);
  await expect(paid(page)).toBeVisible();
  // Another tab has its own history and session storage.
  const other = await context.newPage();
  await other.goto(`/paymentResult?orderId=${orderId}`);
  await waitForHydration(other);
  await expect(unknown(other)).toBeVisible();
  await expect(paid(other)).toHaveCount(0);
});
