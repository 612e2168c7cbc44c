import type { Page } from '@playwright/test';
import { pay } from '../../src/contract/index.ts';
import { alive, chooseMethod, fillCard, nextButton, visit } from '../fixtures/checkout.ts';
import { freshAccount, goodPassword } from '../fixtures/customer.ts';
import { codeTo } from '../fixtures/outbox.ts';
import { expect, test } from '../fixtures/test.ts';
import { wordsOf } from '../fixtures/words.ts';

/** What people type and paste arrives as they meant it, and stays. */
const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);

/** Pastes as a thumb does: into the field that has the focus. */
async function paste(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).fill('');
  await field(page, name).focus();
  await page.keyboard.insertText(text);
}

async function towardsPayment(page: Page): Promise<void> {
  await page.goto('/login?return=%2Fpayment%3FplanId%3D303');
}

test.describe('a code after an error', () => {
  test.use({ expectedErrors: /status of 4\d\d/ });

  test('is typed whole at sign-up, also after the form has said what is missing', async ({ page, server }) => {
    const account = freshAccount();
    await visit(page, '/register');
    await field(page, 'account').fill(account);
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = await codeTo(server.origin, account);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(field(page, 'code')).toHaveAccessibleDescription('Verification code cannot be empty');
    await field(page, 'code').focus();
    await page.keyboard.type(code, { delay: 40 });
    await expect(field(page, 'code')).toHaveValue(code);
    for (const name of ['password', 'repeated']) await field(page, name).fill(goodPassword);
    await field(page, 'agreed').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/pricing-table');
  });

  test('takes the place of the refused one at the reset of a password', async ({ page, server, registerAt }) => {
    const origin = server.brandOrigin('mego');
    const { account } = await registerAt(origin);
    await visit(page, `${origin}/forgot-password`);
    await field(page, 'account').fill(account);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const code = await codeTo(origin, account);
    for (const name of ['password', 'repeated']) await field(page, name).fill('another song of two rivers');
    await field(page, 'code').focus();
    await page.keyboard.type(code === '0000' ? '1111' : '0000', { delay: 40 });
    await page.keyboard.press('Enter');
    await expect(field(page, 'code')).toHaveAccessibleDescription(/not correct/);
    await page.keyboard.type(code, { delay: 40 });
    await expect(field(page, 'code')).toHaveValue(code);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is changed');
  });
});

test('what is pasted into the payment is understood, and sent as it was meant', async ({ page, customer, logIn }) => {
  await towardsPayment(page);
  await logIn(page, customer);
  await chooseMethod(page, 'card');
  await fillCard(page);
  await paste(page, 'expiry', '12 / 2030');
  await expect(field(page, 'expiry')).toHaveValue('12/30');
  await field(page, 'phoneArea').fill('');
  await paste(page, 'phone', '+55 (11) 98888-7777');
  await expect(field(page, 'phoneArea')).toHaveValue('11');
  await expect(field(page, 'phone')).toHaveValue('988887777');
  const sent = page.waitForRequest((request) => request.url().endsWith(pay.path));
  await nextButton(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ card: { expiry: '12/30' }, payer: { phone: '11988887777' } });
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('what cannot be understood is refused with words, and is not cut into something else', async ({
  page,
  customer,
  logIn,
}) => {
  await towardsPayment(page);
  await logIn(page, customer);
  await chooseMethod(page, 'card');
  await fillCard(page);
  await paste(page, 'phone', '+1 (415) 555-0100');
  await paste(page, 'expiry', '31/12/2030');
  await nextButton(page).click();
  await expect(field(page, 'expiry')).toHaveValue('31/12/2030');
  await expect(field(page, 'expiry')).toHaveAccessibleDescription('Enter the expiry date as MM/YY');
  await expect(field(page, 'phone')).toHaveAccessibleDescription('Enter the phone number without the area code');
});

test('another language in the middle of the card details keeps all of them', async ({ page, customer, logIn }) => {
  const typed = {
    number: '4242 4242 4242 4242',
    expiry: '12/39',
    code: '123',
    firstName: 'Ana',
    lastName: 'Souza',
    document: '529.982.247-25',
    phoneArea: '11',
    phone: '987654321',
  };
  await towardsPayment(page);
  await logIn(page, customer);
  await alive(page);
  await chooseMethod(page, 'card');
  await fillCard(page);
  for (const language of ['pt', 'es'] as const) {
    const t = await wordsOf(language);
    await page.getByRole('combobox').and(page.locator('select:has(option[lang])')).selectOption(language);
    await expect(page.getByText(t('Security code'), { exact: true })).toBeVisible();
    for (const [name, value] of Object.entries(typed)) await expect(field(page, name)).toHaveValue(value);
  }
  await nextButton(page).click();
  const t = await wordsOf('es');
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible();
});
