import type { Page } from '@playwright/test';
import { codeLogin, loginOut } from '#contract/index.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { advancePastCodePause } from '#tests/fixtures/operator.ts';
import { codeIn, codeTo, messageTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

test.use({
  locale: 'pt-BR',
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
  // The test enters a wrong code, and the page sends requests while the server is stopped.
  expectedErrors: /status of 400|net::ERR_CONNECTION/,
});

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

/** Pastes a text into the code field, as a customer who has copied it from the SMS. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field(page, 'code').focus();
  await page.keyboard.press('Control+V');
}

test('a customer signs up with a phone number by SMS, and logs in with a pasted code', async ({ page, server }) => {
  const { origin } = server;
  const t = await loadTranslate('pt');
  await visit(page, `${origin}/register`);
  await page
    .locator('label')
    .filter({ hasText: t('Phone') })
    .click();
  await expect(field(page, 'areaCode')).toHaveValue('55');
  // The selected entry is shown, although 25 countries share its code.
  await field(page, 'areaCode').selectOption({ label: 'Jamaica +1' });
  await expect(field(page, 'areaCode')).toHaveValue('1');
  await expect(field(page, 'areaCode').locator('option:checked')).toHaveText('Jamaica +1');
  await field(page, 'areaCode').selectOption('55');
  // Too short for Brazil, which the page checks itself.
  await field(page, 'phone').fill('11 9876-543');
  await page.getByRole('button', { name: t('Continue'), exact: true }).click();
  await expect(field(page, 'phone')).toHaveAccessibleDescription(t('Invalid mobile number'));
  await field(page, 'phone').fill('(11) 98765-4321');
  await page.getByRole('button', { name: t('Continue'), exact: true }).click();
  await expect(field(page, 'code')).toHaveAccessibleDescription(t('We’ve texted a code to this number.'));
  await expectNoFaults(page);
  const sms = await messageTo(origin, '5511987654321');
  expect(sms.channel).toBe('sms');
  expect(sms.text.split('\n').at(-1)).toBe(`@localhost #${codeIn(sms) ?? ''}`);
  await field(page, 'code').fill(codeIn(sms) ?? '');
  await expect(field(page, 'username'), 'what a password manager keeps it under').toHaveValue('11987654321');
  await field(page, 'password').fill(goodPassword);
  await field(page, 'repeated').fill(goodPassword);
  await field(page, 'agreed').check();
  await page.getByRole('button', { name: t('Create account') }).click();
  await expect(page).toHaveURL(`${origin}/pricing-table`);
  await page.goto(`${origin}/account`);
  const logoutResponse = page.waitForResponse((answer) => answer.url().endsWith(loginOut.path));
  await page.getByRole('button', { name: t('Log out') }).click();
  await logoutResponse;
  await page.goto('about:blank');
  await advancePastCodePause(server);

  // This device remembers that the account was a phone number.
  let sent = 0;
  page.on('request', (request) => (sent += request.url().endsWith(codeLogin.path) ? 1 : 0));
  await visit(page, `${origin}/login?return=%2Forders`);
  await field(page, 'phone').fill('+55 11 98765-4321');
  await expect(field(page, 'phone')).toHaveValue('11987654321');
  await page.getByRole('button', { name: t('Use a code instead') }).click();
  await expect(field(page, 'phone')).toHaveValue('11987654321');
  await page.getByRole('button', { name: t('Send code') }).click();
  await expect(field(page, 'code')).toBeFocused();
  await expectNoFaults(page);

  // After reading the SMS, the customer returns to a page that the phone has reloaded.
  await page.reload();
  await waitForHydration(page);
  await expect(field(page, 'code')).toBeVisible();
  await expect(field(page, 'phone')).toHaveValue('11987654321');
  const countdown = page.getByRole('button', { name: /0:\d\d/ });
  await expect(countdown).toBeDisabled();
  const code = await codeTo(origin, '5511987654321', sms);
  await paste(page, code === '1234' ? '4321' : '1234');
  await expect(field(page, 'code')).toHaveAccessibleDescription(/2 tentativas/);
  await expect(field(page, 'code')).toBeFocused();
  expect(sent).toBe(1);
  await paste(page, ` ${code.slice(0, 2)} ${code.slice(2)}\n`);
  await expect(page).toHaveURL(`${origin}/orders`);
  expect(sent, 'each complete code is sent once, by itself').toBe(2);
});
