/// <reference lib="dom" />
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { planDetail } from '#contract/plan.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { root } from '#tests/fixtures/source-tree.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const main = (page: Page) => page.getByRole('main');
const link = (page: Page, name: string | RegExp) => main(page).getByRole('link', { name });
const currency = (page: Page) => main(page).getByRole('combobox', { name: 'Currency' });

/** The browser logs the requests that the server refuses. */
test.use({ expectedErrors: /status of 403/ });

test('a customer sees a personal home page, and which plans have to wait and until when @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await buyByCard(customer, '301');
  await beSignedIn(page, customer);
  await visit(page, '/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back');
  await expect(main(page)).toContainText('Monthly Family');
  await expect(main(page)).toContainText(/30 days left/);
  await expect(link(page, 'Add more days')).toHaveAttribute('href', /^\/payment\?planId=301/);
  await expect(link(page, 'Connect a TV')).toBeVisible();
  await expectNoFaults(page);

  await visit(page, '/pricing-table');
  const card = (name: string) => page.locator('li[data-period="year"]').filter({ hasText: name });
  const laterPlan = card('Yearly').filter({ hasNotText: 'Family' });
  await expect(laterPlan).toContainText(/Available from .*, when your plan for several devices ends/);
  await expect(laterPlan).not.toContainText('Recommended');
  await expect(card('Yearly Family')).toContainText('Recommended');
  await expect(main(page).getByRole('region', { name: 'Plan comparison' }).getByText('Your plan')).toBeVisible();
  await expectNoFaults(page);

  await laterPlan.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Yearly');
  await expect(main(page)).toContainText('Available from');
  await expect(main(page).locator('a[href^="/payment"]')).toHaveCount(0);

  await visit(page, '/payment?planId=103');
  await expect(page).toHaveURL(/pricing-table.*planId=103/);
  await expect(main(page)).toContainText('You cannot buy Yearly right now');
  await expectNoFaults(page);
});

test.describe('a plan that the shop has just removed', () => {
  test.use({ expectedErrors: /status of 404/ });

  test('leads to /404 when its link is tapped, and not while the link is only shown', async ({ page }) => {
    const planPath = planDetail.path.replace('{id}', '303');
    await page.route(
      (url) => url.pathname === planPath,
      (route) => route.continue({ url: route.request().url().replace('303', '399') }),
    );
    const preloaded = page.waitForResponse(`**${planPath.replace('303', '399')}*`);
    await visit(page, '/pricing-table');
    const details = main(page).locator('a[href^="/plan-details/303"]').first();
    await details.hover();
    expect((await preloaded).status()).toBe(404);
    await waitForIdle(page);
    await expect(page).toHaveURL(/\/pricing-table/);
    await details.click();
    await expect(page).toHaveURL(/\/404$/);
  });
});

test('the home page of a customer shows a placeholder until it has loaded @slow', async ({
  page,
  cutter,
  customer,
  beSignedIn,
}) => {
  const part = readdirSync(join(root, 'dist/site/assets')).find((name) => /^customer-home-[\w-]{8}\.js$/.test(name));
  const release = cutter.hold(`/assets/${part}`);
  await beSignedIn(page, customer);
  await visit(page, `${cutter.origin}/`);
  await expect(main(page).locator('[aria-busy]')).toBeVisible();
  await expect(main(page).getByRole('heading')).toHaveCount(0);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back');
});

test('the chosen currency applies from the plans to the checkout, which lists methods of other currencies @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await visit(page, '/pricing-table');
  await currency(page).selectOption('USD');
  await expect(main(page)).toContainText('$35.99');
  await expectNoFaults(page);
  await page.reload();
  await expect(main(page)).toContainText('$35.99');
  await link(page, 'Details of Yearly').first().click();
  await expect(page).toHaveURL(/\/plan-details\//);
  await expect(currency(page)).toHaveValue('USD');
  await expect(main(page)).toContainText('$35.99');

  await beSignedIn(page, customer);
  await visit(page, page.url());
  await link(page, 'Buy now').first().click();
  await expect(page.locator('select[name="currency"]')).toHaveValue('USD');
  await expect(page.locator('input[name="method"][value="pix"]')).toHaveCount(0);
  await page.getByRole('button', { name: /Pix.* Pay in BRL/ }).click();
  await expect(page.locator('input[name="method"][value="pix"]')).toBeChecked();
  await expect(page.locator('select[name="currency"]')).toHaveValue('BRL');
  // As high as the page: the choice scrolled it, so that a method is partly under the bar.
  const phone = page.viewportSize() ?? { width: 360, height: 740 };
  await page.setViewportSize({ ...phone, height: 3000 });
  await expectNoFaults(page);
  await page.setViewportSize(phone);
  await page.reload();
  await expect(page.locator('select[name="currency"]')).toHaveValue('BRL');
  await page.goBack();
  await expect(currency(page)).toHaveValue('BRL');
});

test('a visitor without an earlier login signs up, and one who was logged in before logs in', async ({ page }) => {
  const reason = page.getByRole('status').filter({ hasText: 'You must log in to continue' });
  await visit(page, '/plan-details/101');
  await link(page, 'Buy now').first().click();
  await expect(page).toHaveURL(/\/register\?return=%2Fpayment%3FplanId%3D101/);
  await expect(reason).toHaveCount(1);
  await expectNoFaults(page);
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/login\?return=%2Fpayment%3FplanId%3D101/);
  await expect(reason).toHaveCount(1);
  await expectNoFaults(page);

  await page.evaluate(
    ([key, token]) => localStorage.setItem(key ?? '', JSON.stringify(token)),
    [deviceTokenKey.key, 'a'.repeat(43)],
  );
  await visit(page, '/pricing-table');
  await link(page, 'Choose Yearly').first().click();
  await expect(page).toHaveURL(/\/login\?return=/);
  await expect(reason).toHaveCount(1);
});

test('selected text has the colour of the brand in every part of the page @slow', async ({ page }) => {
  await visit(page, '/pricing-table');
  const selectionColours = await main(page)
    .locator('h1, h2, p, a, b')
    .evaluateAll((parts) => [...new Set(parts.map((part) => getComputedStyle(part, '::selection').backgroundColor))]);
  const button = await link(page, 'Choose Yearly')
    .first()
    .evaluate((part) => getComputedStyle(part).backgroundColor);
  expect(selectionColours).toEqual([button]);
});
