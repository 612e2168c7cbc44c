import type { Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { codeTo, messageTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a visitor signs up on one screen with only a keyboard, and returns to the plan', async ({ page, server }) => {
  const account = freshAccount();
  await visit(page, '/register?return=%2Fplan-details%2F303');
  await expect(page.getByRole('main').getByRole('button').first(), 'nothing to type').toContainText('Google');
  await tabTo(page, field(page, 'account'));
  await page.keyboard.type(account);
  await page.keyboard.press('Enter');
  await expect(field(page, 'code')).toBeFocused();
  await expect(field(page, 'code')).toHaveAccessibleDescription('We’ve emailed a code to this address.');
  await expect(page.getByText(/Send again in 0:\d\d/)).toBeVisible();
  await expect(field(page, 'account'), 'it can be read and mended').toHaveValue(account);
  await expectNoFaults(page);
  await page.keyboard.type(await codeTo(server.origin, account));

  // The last digit submits the code, and the password fields appear without a tap.
  await expect(field(page, 'password')).toBeFocused();
  await expect(
    page.locator('form:has(input[autocomplete^="username"]) input[autocomplete="new-password"]'),
  ).toHaveCount(2);
  await expect(page.locator('form input[autocomplete^="username"]')).toHaveValue(account);
  await expect(page).toHaveURL('/register?return=%2Fplan-details%2F303');
  await expectNoFaults(page);
  const policy = page.getByRole('link', { name: 'Terms of Use' });
  await page.keyboard.type(goodPassword);
  const stops = [...(await tabTo(page, field(page, 'repeated')))];
  await page.keyboard.type(goodPassword);
  stops.push(...(await tabTo(page, page.locator('summary'))));
  await page.keyboard.press('Enter');
  stops.push(...(await tabTo(page, field(page, 'nickname'))));
  await page.keyboard.type('Ana Maria');
  stops.push(...(await tabTo(page, field(page, 'agreed'))));
  await page.keyboard.press('Space');
  stops.push(...(await tabTo(page, policy)));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { level: 3 }).first()).toBeVisible();
  await expect(dialog).toContainText('Lumen');
  await expectNoFaults(page);
  await page.keyboard.press('Escape');
  await expect(policy).toBeFocused();
  stops.push(...(await tabTo(page, button(page, 'Create account'))));
  const peek = 'Show password';
  const agreed = 'I accept the Terms of Use and the Privacy Policy';
  const last = ['Add nickname', 'Nickname (optional)', agreed, 'Terms of Use', 'Privacy Policy', 'Create account'];
  expect(stops).toEqual([peek, 'Repeat password', peek, ...last]);
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/plan-details/303');
  const welcome = await messageTo(server.origin, account, ({ subject }) => subject.startsWith('Welcome'));
  expect(welcome.text, 'the code has confirmed the address already').not.toContain('/activate');
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText(account);
  await expect(page.getByRole('main')).toContainText('Ana Maria');
});

test('a typo in the address can be corrected at the code @slow', async ({ page, server }) => {
  const account = freshAccount();
  await visit(page, '/register');
  await field(page, 'account').fill(`x${account}`);
  await button(page, 'Continue').click();
  await expect(field(page, 'code')).toBeFocused();
  await field(page, 'account').fill(account);
  await expect(field(page, 'code'), 'it is for the other address').toBeHidden();
  await button(page, 'Continue').click();
  await expect(field(page, 'code')).toBeFocused();
  await page.keyboard.type(await codeTo(server.origin, account));
  await expect(field(page, 'password')).toBeFocused();
  await expect(field(page, 'account')).toHaveValue(account);

  // Only this address is confirmed.
  await field(page, 'account').fill(`y${account}`);
  await expect(field(page, 'password')).toBeHidden();
  await field(page, 'account').fill(account);
  await expect(field(page, 'password')).toBeVisible();
  await page.goBack();
  await expect(field(page, 'password')).toBeHidden();
  await expect(page).toHaveURL('/register');
});

test('a pasted phone number selects the phone tab, and a pasted address the email tab @slow', async ({ page }) => {
  for (const path of ['/register', '/login', '/forgot-password']) {
    // Otherwise the account of the previous form would be filled in.
    await page.goto('/help');
    await page.evaluate(() => sessionStorage.clear());
    await visit(page, path);
    if (!(await field(page, 'account').isVisible())) await page.getByText('Email', { exact: true }).click();
    await field(page, 'account').focus();
    await page.keyboard.insertText('+55 (11) 98765-4321');
    await expect(field(page, 'phone'), path).toHaveValue('11987654321');
    await expect(field(page, 'phone'), path).toBeFocused();
    await expect(page.locator('form select[name="areaCode"]')).toHaveValue('55');
    await field(page, 'phone').fill('');
    await page.keyboard.insertText('ana@example.com');
    await expect(field(page, 'account'), path).toHaveValue('ana@example.com');
    await expect(field(page, 'account'), path).toBeFocused();
  }
});
