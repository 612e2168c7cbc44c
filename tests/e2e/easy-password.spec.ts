import type { Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.use({ permissions: ['clipboard-read', 'clipboard-write'], expectedErrors: /status of 400/ });

test('a common password is refused at its field, and one pasted from a password manager is accepted', async ({
  page,
  server,
}) => {
  const easy = 'This password is too easy to guess. Choose another one.';
  await visit(page, `${server.brandOrigin('mego')}/register`);
  await field(page, 'account').fill(freshAccount());
  for (const name of ['password', 'repeated']) {
    await expect(field(page, name)).toHaveAttribute('type', 'password');
    await expect(field(page, name)).toHaveAttribute('autocomplete', 'new-password');
    await field(page, name).fill('iloveyou');
  }
  await field(page, 'agreed').check();
  await button(page, 'Create account').click();
  await expect(field(page, 'password')).toHaveAccessibleDescription(easy);
  await expect(field(page, 'password')).toBeFocused();
  await expectNoFaults(page);

  await page.evaluate((text) => navigator.clipboard.writeText(text), goodPassword);
  for (const name of ['password', 'repeated']) {
    await field(page, name).selectText();
    await field(page, name).press('ControlOrMeta+V');
    await expect(field(page, name)).toHaveValue(goodPassword);
  }
  await button(page, 'Create account').click();
  await expect(page).toHaveURL(/\/pricing-table$/);

  await visit(page, `${server.brandOrigin('mego')}/settings`);
  await button(page, 'Change Password').click();
  await field(page, 'currentPassword').fill(goodPassword);
  await field(page, 'password').fill('Mego-2026');
  await field(page, 'repeated').fill('Mego-2026');
  await field(page, 'repeated').press('Enter');
  await expect(field(page, 'password')).toHaveAccessibleDescription(easy);
  await expect(page).toHaveURL(/\/settings$/);
});
