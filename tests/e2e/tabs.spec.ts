import type { Page } from '@playwright/test';
import { pay } from '#contract/billing.ts';
import { waitForHydration, nextButton, readyToPay, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { watchPixels } from '#tests/fixtures/private-pixels.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ serviceWorkers: 'allow' });

const logOutButton = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true });
const logInLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Log in' });

// Wide enough for the header to show the signed-in account.
test.use({ viewport: { width: 1280, height: 800 } });

test('a logout in one tab applies to all tabs before the next frame, and so does a login @slow', async ({
  page,
  context,
  customer,
  logIn,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  await visit(page, '/login');
  await logIn(page, customer);
  await visit(page, '/account');
  const [orders, plans] = [await context.newPage(), await context.newPage()];
  await visit(orders, '/orders');
  await visit(plans, '/pricing-table');
  const seen = [];
  for (const tab of [orders, plans]) seen.push(await watchPixels(tab, [customer.account, orderId]));
  await expect(orders.getByText(orderId, { exact: true }).first()).toBeVisible();
  await expect(plans.getByText(customer.account)).toBeVisible();

  await logOutButton(page).click();
  await expect(orders).toHaveURL('/login?return=%2Forders&reason=needed');
  await expect(logInLink(plans)).toBeVisible();
  await expect(logInLink(page)).toBeVisible();
  for (const seenBy of seen) expect(await seenBy()).toEqual([]);
  await visit(orders, '/login?return=%2Forders');
  await visit(page, '/login');
  await logIn(page, customer);
  await expect(orders).toHaveURL('/orders');
  await expect(orders.getByText(orderId, { exact: true }).first()).toBeVisible();
  await expect(plans.getByText(customer.account)).toBeVisible();
});

test('when another customer logs in in another tab, this tab shows no data of the first customer @slow', async ({
  page,
  context,
  customer,
  registerAt,
  logIn,
  server,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  const next = await registerAt(server.origin);
  await visit(page, '/login');
  await logIn(page, customer);
  const orders = await context.newPage();
  await visit(orders, '/orders');
  const seen = await watchPixels(orders, [customer.account, orderId]);
  await expect(orders.getByText(orderId, { exact: true }).first()).toBeVisible();
  await visit(page, '/account');
  await logOutButton(page).click();
  await expect(logInLink(page)).toBeVisible();
  await visit(page, '/login');
  await logIn(page, next);
  await expect(orders.getByText(next.account)).toBeVisible();
  await expect(orders.getByText('You have no orders yet')).toBeVisible();
  expect(await seen()).toEqual([]);
});

test('a customer who taps "Log out" and closes the tab at once is logged out', async ({ page, customer, logIn }) => {
  await visit(page, '/login');
  await logIn(page, customer);
  await visit(page, '/account');
  await logOutButton(page).evaluate((button: HTMLButtonElement) => {
    button.click();
    location.reload();
  });
  await expect(page).toHaveURL(/\/login/);
  await waitForHydration(page);
  await expect(page.getByText(customer.account)).toHaveCount(0);
});

test.describe('while a payment is in progress', () => {
  // The tab that is no longer signed in requests data of the customer.
  test.use({ expectedErrors: /status of 401/ });

  test('its tab is not affected by a logout in another one, shows the outcome, and is then logged out @slow', async ({
    page,
    context,
    cutter,
    server,
    registerAt,
    logIn,
  }) => {
    const customer = await registerAt(server.origin);
    await visit(page, `${cutter.origin}/login`);
    await logIn(page, customer);
    const paying = await context.newPage();
    await readyToPay(paying, `${cutter.origin}/payment?planId=301`);
    // The server responds, but its response is delayed.
    const release = cutter.holdAnswer(pay.path);
    const reloads: string[] = [];
    await nextButton(paying).click();
    await expect(nextButton(paying)).toHaveAttribute('aria-busy', 'true');
    paying.on('domcontentloaded', () => reloads.push(paying.url()));

    await visit(page, `${cutter.origin}/account`);
    await logOutButton(page).click();
    await expect(logInLink(page)).toBeVisible();
    await expect(paying).toHaveURL(/\/payment\?/);
    await expect(nextButton(paying)).toHaveAttribute('aria-busy', 'true');
    expect(reloads).toEqual([]);
    release();
    await expect.poll(() => reloads).toEqual([expect.stringContaining('/paymentResult?')]);
    await expect(paying.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await expect(paying.getByText(customer.account)).toHaveCount(0);
  });
});
