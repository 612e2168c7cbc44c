import { existsSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { pay } from '#contract/index.ts';
import { alive, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { wordsOf } from '#tests/fixtures/words.ts';

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

  test('is typed whole at sign-up, also after the form has said what is missing @slow', async ({ page, server }) => {
    const account = freshAccount();
    await visit(page, '/register');
    await field(page, 'account').fill(account);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(field(page, 'code')).toBeFocused();
    await expect(field(page, 'code')).not.toHaveAttribute('aria-invalid');
    const code = await codeTo(server.origin, account);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(field(page, 'code')).toHaveAccessibleDescription('Verification code cannot be empty');
    await field(page, 'code').focus();
    await page.keyboard.type(code, { delay: 40 });
    await expect(field(page, 'password')).toBeFocused();
    for (const name of ['password', 'repeated']) await field(page, name).fill(goodPassword);
    await field(page, 'agreed').check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL('/pricing-table');
  });

  test('takes the place of the refused one at the reset of a password @slow', async ({ page, server, registerAt }) => {
    const origin = server.brandOrigin('mego');
    const { account } = await registerAt(origin);
    await visit(page, `${origin}/forgot-password`);
    await field(page, 'account').fill(account);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const code = await codeTo(origin, account);
    await expect(field(page, 'code')).toBeFocused();
    await page.keyboard.type(code === '0000' ? '1111' : '0000', { delay: 40 });
    for (const name of ['password', 'repeated']) await field(page, name).fill('another song of two rivers');
    await page.keyboard.press('Enter');
    await expect(field(page, 'code')).toHaveAccessibleDescription(/not correct/);
    await expect(field(page, 'code')).toBeFocused();
    await page.keyboard.type(code, { delay: 40 });
    // the password has waited
    await expect(field(page, 'repeated')).toHaveValue('another song of two rivers');
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
  await paste(page, 'phone', '+55 (11) 98888-7777');
  await expect(field(page, 'phone')).toHaveValue('(11) 98888-7777');
  const sent = page.waitForRequest((request) => request.url().endsWith(pay.path));
  await nextButton(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ card: { expiry: '12/30' }, payer: { phone: '11988887777' } });
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

/** Fills in what the browser keeps of a card, as a tap on its offer does. */
async function autofill(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { root } = await devtools.send('DOM.getDocument');
  const found = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'input[name="number"]' });
  const { node } = await devtools.send('DOM.describeNode', found);
  await devtools.send('Autofill.enable');
  await devtools.send('Autofill.trigger', {
    fieldId: node.backendNodeId,
    card: { number: '4242424242424242', name: 'Ana Souza', expiryMonth: '12', expiryYear: '2039', cvc: '123' },
  });
}

/** The small browser of the stories has no autofill; the whole one has, where it is installed. */
const wholeBrowser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));

test('the autofill of the browser fills in the whole card by one tap @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  const toCard = async (where: Page) => {
    await beSignedIn(where, customer);
    await visit(where, `${server.origin}/payment?planId=303`);
    await chooseMethod(where, 'card');
    await field(where, 'number').waitFor();
  };
  await toCard(page);
  const named = { number: 'cc-number', expiry: 'cc-exp', code: 'cc-csc' };
  const tokens = { ...named, firstName: 'cc-given-name', lastName: 'cc-family-name', phone: 'tel-national' };
  for (const [name, token] of Object.entries(tokens)) {
    await expect(field(page, name)).toHaveAttribute('autocomplete', token);
  }
  await expect(page.locator('form:has(input[name="number"]) input[name="phone"]'), 'one form').toHaveCount(1);
  if (!wholeBrowser) return;
  const args = [...chromiumArgs, '--headless=new'];
  const browser = await chromium.launch({ executablePath: wholeBrowser, headless: false, args });
  try {
    const whole = await browser.newPage({ locale: 'en-US' });
    await toCard(whole);
    await autofill(whole);
    const filled = { number: '4242 4242 4242 4242', expiry: '12/39', code: '123', firstName: 'Ana', lastName: 'Souza' };
    for (const [name, value] of Object.entries(filled)) await expect(field(whole, name)).toHaveValue(value);
  } finally {
    await browser.close();
  }
});

test('what cannot be understood is refused with words, and is not cut into something else @slow', async ({
  page,
  customer,
  logIn,
}) => {
  await towardsPayment(page);
  await logIn(page, customer);
  await chooseMethod(page, 'card');
  await fillCard(page);
  await paste(page, 'phone', '11 98888-7777 and 11 98888-6666');
  await paste(page, 'expiry', '31/12/2030');
  await nextButton(page).click();
  await expect(field(page, 'expiry')).toHaveValue('31/12/2030');
  await expect(field(page, 'expiry')).toHaveAccessibleDescription('Enter the expiry date as MM/YY');
  await expect(field(page, 'phone')).toHaveAccessibleDescription('Enter the phone number with its area code');
});

test('another language in the middle of the card details keeps all of them @slow', async ({
  page,
  customer,
  logIn,
}) => {
  const typed = {
    number: '4242 4242 4242 4242',
    expiry: '12/39',
    code: '123',
    firstName: 'Ana',
    lastName: 'Souza',
    document: '529.982.247-25',
    phone: '(11) 98765-4321',
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
