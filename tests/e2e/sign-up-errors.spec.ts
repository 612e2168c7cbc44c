/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { signup } from '#contract/index.ts';
import { contrast } from '#contract/oklch.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Converts `rgb(1, 2, 3)`. */
const hexOf = (colour: string) =>
  `#${(colour.match(/[\d.]+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
/** Increases every digit of a code by `add`: a code that differs in one digit counts as a correction. */
const wrongCode = (code: string, add = 1) => code.replaceAll(/\d/g, (digit) => String((Number(digit) + add) % 10));

test.describe('errors and connection loss', () => {
  test.use({ expectedErrors: /status of 4\d\d|ERR_INTERNET_DISCONNECTED/ });

  test('every refusal is reported at its field, Back collapses a step, and no typed data is lost', async ({
    page,
    context,
    server,
  }) => {
    const t = await loadTranslate('pt');
    const account = freshAccount();
    await visit(page, '/register');
    await button(page, 'Continue').click();
    await expect(field(page, 'account')).toBeFocused();
    await expect(field(page, 'account')).toHaveAccessibleDescription('Enter your email address');
    await field(page, 'account').fill('ana@example');
    await expect(field(page, 'account')).toHaveAccessibleDescription('Invalid Email');
    await field(page, 'account').fill(account);
    await button(page, 'Continue').click();
    await expect(field(page, 'code')).toBeFocused();
    await expect(field(page, 'code'), 'nobody has tried to send it').not.toHaveAttribute('aria-invalid');
    await button(page, 'Continue').click();
    await expect(field(page, 'code')).toHaveAccessibleDescription('Verification code cannot be empty');
    const code = await codeTo(server.origin, account);
    await field(page, 'code').fill(wrongCode(code));
    await expect(field(page, 'code')).toHaveAccessibleDescription('This code is incorrect. You have 2 tries left.');
    await expect(field(page, 'code')).toBeFocused();
    await page.goBack();
    await expect(field(page, 'code')).toBeHidden();
    await expect(field(page, 'account')).toHaveValue(account);
    await button(page, 'Continue').click();
    await expect(page.getByText(/Send again in 0:\d\d/), 'the code that went out still counts').toBeVisible();
    await field(page, 'code').fill(wrongCode(code, 2));
    const lastTry = 'This code is incorrect. You have 1 try left.';
    await expect(field(page, 'code'), 'the field that came back has spent no try').toHaveAccessibleDescription(lastTry);
    await field(page, 'code').fill(code);

    await expect(field(page, 'password')).toBeFocused();
    await button(page, 'Create account').click();
    await expect(field(page, 'agreed')).toHaveAccessibleDescription(/^Accept/);
    await field(page, 'password').fill('short');
    await expect(field(page, 'repeated'), 'not wrong while the password is typed').toHaveAccessibleDescription('');
    await field(page, 'repeated').fill('s');
    await expect(field(page, 'repeated'), 'nor at its first letter').toHaveAccessibleDescription('');
    await field(page, 'repeated').blur();
    await expect(field(page, 'repeated'), 'but once it was left').toHaveAccessibleDescription('Passwords do not match');
    await button(page, 'Create account').click();
    await expect(field(page, 'password')).toHaveAccessibleDescription('Password has to be at least 6 characters long');
    await expect(field(page, 'agreed')).toHaveAccessibleDescription('Accept our Terms Of Use and Privacy Policy');
    await field(page, 'repeated').fill(goodPassword);
    await expect(field(page, 'repeated')).toHaveAccessibleDescription('Passwords do not match');
    await page.getByText('Add nickname').click();
    await field(page, 'nickname').fill('Ana <3');
    await field(page, 'nickname').blur();
    const special = 'The nickname must not contain special characters';
    await expect(field(page, 'nickname')).toHaveAccessibleDescription(special);
    await expectNoFaults(page);
    const typed = { password: goodPassword, repeated: goodPassword, nickname: 'Ana' };
    for (const [name, text] of Object.entries(typed)) await field(page, name).fill(text);
    await field(page, 'agreed').check();
    const expectAllThere = async () => {
      for (const [name, text] of Object.entries(typed)) await expect(field(page, name)).toHaveValue(text);
      await expect(field(page, 'agreed')).toBeChecked();
    };

    // Back to the account and forward again: the code is still confirmed, and the typed data is there.
    await page.goBack();
    await expect(field(page, 'account')).toHaveValue(account);
    await button(page, 'Continue').click();
    await expectAllThere();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('pt');
    await expect(page.getByRole('main')).toContainText(t('One last step and your account is ready.'));
    await expectAllThere();
    await context.setOffline(true);
    await button(page, t('Create account')).click();
    const lost = t('We couldn’t reach the shop. Nothing was lost; try again.');
    await expect(page.getByRole('alert').filter({ hasText: lost })).toBeInViewport();
    await expectAllThere();
    await context.setOffline(false);

    // A reload clears only the secrets.
    await page.reload();
    await waitForHydration(page);
    await expect(field(page, 'account')).toHaveValue(account);
    await expect(field(page, 'nickname')).toHaveValue('Ana');
    await expect(field(page, 'password')).toHaveValue('');
    const { text } = await browserStorageOf(page);
    expect([goodPassword, code].filter((secret) => text.includes(`"${secret}"`))).toEqual([]);
    for (const [name, value] of Object.entries(typed)) await field(page, name).fill(value);
    await field(page, 'agreed').check();
    await button(page, t('Create account')).click();
    await expect(page).toHaveURL('/pricing-table');
  });

  test('an address in use is reported at its field, with a link to the login, which returns to the plan @slow', async ({
    page,
    server,
    registerAt,
  }) => {
    const origin = server.brandOrigin('mego');
    const known = await registerAt(origin);
    await visit(page, `${origin}/register?return=%2Fplan-details%2F201`);
    await field(page, 'account').fill(known.account);
    await field(page, 'password').fill(goodPassword);
    await field(page, 'repeated').fill(goodPassword);
    await field(page, 'agreed').check();
    const refused = page.waitForResponse((answer) => answer.url().endsWith(signup.path));
    await button(page, 'Create account').click();
    expect((await refused).status()).toBe(409);
    await expect(field(page, 'account')).toHaveAccessibleDescription(/already/);
    await expectNoFaults(page);
    await page.getByRole('link', { name: 'Log in with this account' }).click();
    // The previous page has fields of the same names.
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    await expect(field(page, 'account')).toHaveValue(known.account);
    await field(page, 'password').fill(known.password);
    await button(page, 'Log in').click();
    await expect(page).toHaveURL(`${origin}/plan-details/201`);
  });

  test('a wrong code is selected, so that typing replaces it, and is readable in dark mode @slow', async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit(page, '/register');
    const account = freshAccount();
    await field(page, 'account').fill(account);
    await button(page, 'Continue').click();
    await field(page, 'code').pressSequentially(wrongCode(await codeTo(server.origin, account)));
    await expect(field(page, 'code')).toHaveAttribute('aria-invalid', 'true');
    const { chosen, colours } = await field(page, 'code').evaluate((input: HTMLInputElement) => {
      const { color, backgroundColor } = getComputedStyle(input, '::selection');
      return { chosen: getSelection()?.toString(), colours: [color, backgroundColor] };
    });
    expect(chosen).toHaveLength(4);
    expect(colours[1], 'said by the page, and not left to the phone').not.toMatch(/rgba\(.*, 0\)/);
    const [text = '', ground = ''] = colours.map(hexOf);
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });
});
