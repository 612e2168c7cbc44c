import { existsSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { pay } from '#contract/index.ts';
import { waitForHydration, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);

/** Pastes into the focused field, as a phone does. */
async function paste(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).fill('');
  await field(page, name).focus();
  await page.keyboard.insertText(text);
}

async function openLoginForPayment(page: Page): Promise<void> {
  await page.goto('/login?return=%2Fpayment%3FplanId%3D303');
}

test.describe('a code after an error', () => {
  test.use({ expectedErrors: /status of 4\d\d/ });

  test('can be typed completely at sign-up, even after the form has reported it as missing @slow', async ({
    page,
    server,
  }) => {
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

  test('replaces the refused one in a password reset @slow', async ({ page, server, registerAt }) => {
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
    await expect(field(page, 'code')).toHaveAccessibleDescription(/is incorrect/);
    await expect(field(page, 'code')).toBeFocused();
    await page.keyboard.type(code, { delay: 40 });
    // The typed password is still there.
    await expect(field(page, 'repeated')).toHaveValue('another song of two rivers');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password was changed');
  });
});

test('data that is pasted into the payment form is normalised and sent correctly', async ({
  page,
  customer,
  logIn,
}) => {
  await openLoginForPayment(page);
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

/** Fills in a saved card, as a tap on the suggestion of the browser does. */
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

/** The headless shell of the tests has no autofill. A full browser has, where it is installed. */
const fullBrowser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));

async function openCardForm(page: Page, origin: string): Promise<void> {
  await visit(page, `${origin}/payment?planId=303`);
  await chooseMethod(page, 'card');
  await field(page, 'number').waitFor();
}

test('the fields of a card are one form that the browser can fill in @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await openCardForm(page, server.origin);
  const named = { number: 'cc-number', expiry: 'cc-exp', code: 'cc-csc' };
  const tokens = { ...named, firstName: 'cc-given-name', lastName: 'cc-family-name', phone: 'tel-national' };
  for (const [name, token] of Object.entries(tokens)) {
    await expect(field(page, name)).toHaveAttribute('autocomplete', token);
  }
  await expect(page.locator('form:has(input[name="number"]) input[name="phone"]'), 'one form').toHaveCount(1);
});

test('the autofill of the browser fills in the whole card by one tap @slow', async ({
  server,
  customer,
  beSignedIn,
}) => {
  test.skip(fullBrowser === undefined, 'There is no full browser on this machine.');
  const args = [...chromiumArgs, '--headless=new'];
  const browser = await chromium.launch({ executablePath: fullBrowser ?? '', headless: false, args });
  try {
    const fullPage = await browser.newPage({ locale: 'en-US' });
    await beSignedIn(fullPage, customer);
    await openCardForm(fullPage, server.origin);
    await autofill(fullPage);
    const filled = { number: '4242 4242 4242 4242', expiry: '12/39', code: '123', firstName: 'Ana', lastName: 'Souza' };
    for (const [name, value] of Object.entries(filled)) await expect(field(fullPage, name)).toHaveValue(value);
  } finally {
    await browser.close();
  }
});

test('data that cannot be interpreted is refused with a message, and is not truncated @slow', async ({
  page,
  customer,
  logIn,
}) => {
  await openLoginForPayment(page);
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

test('a language change in the middle of the card details retains all of them @slow', async ({
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
  await openLoginForPayment(page);
  await logIn(page, customer);
  await waitForHydration(page);
  await chooseMethod(page, 'card');
  await fillCard(page);
  for (const language of ['pt', 'es'] as const) {
    const t = await loadTranslate(language);
    await page.getByRole('combobox').and(page.locator('select:has(option[lang])')).selectOption(language);
    await expect(page.getByText(t('Security code'), { exact: true })).toBeVisible();
    for (const [name, value] of Object.entries(typed)) await expect(field(page, name)).toHaveValue(value);
  }
  await nextButton(page).click();
  const t = await loadTranslate('es');
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible();
});
