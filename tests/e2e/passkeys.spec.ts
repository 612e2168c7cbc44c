import type { Page } from '@playwright/test';
import { choosePlanAsVisitor, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { withLock } from '#tests/fixtures/passkey-lock.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Adds a passkey on the passkeys page: password, name, and the confirmation in the browser. */
async function addPasskey(page: Page, password: string, name: string, t = (english: string) => english) {
  await button(page, t('Add passkey')).click();
  await page.locator('[name=password]').fill(password);
  await expectNoFaults(page);
  await button(page, t('Continue')).click();
  await page.locator('[name=name]').fill(name);
  await expectNoFaults(page);
  await button(page, t('Create passkey')).click();
}

// The tests send a wrong password and use a removed passkey.
test.use({ expectedErrors: /status of 4(00|01|22)/ });

test('a customer adds a passkey, names it, logs in with it by one tap, and removes it', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  test.setTimeout(90_000);
  const authenticator = await withLock(page);
  await beSignedIn(page, customer);
  await visit(page, '/settings');
  await page.getByRole('link', { name: /^Passkeys/ }).click();
  await expect(page).toHaveURL('/passkeys');
  await expectNoFaults(page);
  await button(page, 'Add passkey').click();
  await page.locator('[name=password]').fill('not my password');
  await button(page, 'Continue').click();
  await expect(page.locator('[name=password]')).toHaveAccessibleDescription(/./);
  await button(page, 'Cancel').click();
  await addPasskey(page, customer.password, 'Phone in my pocket');
  await expect(page.getByText('Your passkey is ready.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Phone in my pocket' })).toContainText('not used yet');
  expect(await authenticator.count()).toBe(1);
  const mail = await messageTo(server.origin, customer.account, ({ subject }) => subject.startsWith('New passkey'));
  expect(mail.text).toContain('Phone in my pocket');
  await expectNoFaults(page);

  await button(page, /Rename/).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Pocket');
  await page.getByRole('dialog').locator('[name=name]').press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toBeVisible();

  await visit(page, '/account');
  await button(page, 'Log out').click();
  await page.waitForURL('/');
  // The browser offers the passkey at the account field, and the customer accepts.
  await visit(page, '/login?return=%2Fpasskeys');
  await expect(page).toHaveURL('/passkeys');
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toContainText('last used on');

  await button(page, /Remove/).click();
  await button(page, 'Remove this passkey').click();
  await expect(page.getByText('This passkey has been removed.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toHaveCount(0);
  await visit(page, '/account');
  await button(page, 'Log out').click();
  await page.waitForURL('/');
  await authenticator.answers(false);
  await visit(page, '/login');
  await button(page, 'Log in with a passkey').waitFor();
  await authenticator.answers(true);
  await button(page, 'Log in with a passkey').click();
  await expect(page.getByText('This passkey isn’t linked to an account here.')).toBeVisible();
  await authenticator.answers(false);
});

test('a visitor who chose a plan logs in with a passkey and continues in its checkout @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await withLock(page);
  await beSignedIn(page, customer);
  await visit(page, '/passkeys');
  await addPasskey(page, customer.password, 'Phone');
  await expect(page.getByText('Your passkey is ready.')).toBeVisible();
  await visit(page, '/account');
  await button(page, 'Log out').click();
  await page.waitForURL('/');
  const chosen = await choosePlanAsVisitor(page);
  // The browser offers the passkey at the account field, and the customer accepts.
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL(chosen);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How do you want to pay?');
});

test('a device creates no second passkey, and the refusal leaves the form unchanged @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const authenticator = await withLock(page);
  await beSignedIn(page, customer);
  await visit(page, '/passkeys');
  await addPasskey(page, customer.password, 'One');
  await expect(page.getByText('Your passkey is ready.')).toBeVisible();
  await addPasskey(page, customer.password, 'Two');
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible();
  await expect(page.locator('[name=name]')).toHaveValue('Two');
  await button(page, 'Cancel').click();
  expect(await authenticator.count()).toBe(1);
});

test('without WebAuthn the login does not mention passkeys, and the passkeys page says why @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await visit(page, '/login');
  await page.waitForLoadState('networkidle');
  await expect(button(page, 'Log in with a passkey')).toHaveCount(0);
  await beSignedIn(page, customer);
  await visit(page, '/passkeys');
  await expect(page.getByText('This browser can’t create passkeys.')).toBeVisible();
  await expectNoFaults(page);
});

for (const [language, locale] of [
  ['en', 'en-US'],
  ['pt', 'pt-BR'],
  ['es', 'es-ES'],
  ['ru', 'ru-RU'],
] as const) {
  test(`a customer adds a passkey with only a keyboard, in ${language} @slow`, async ({
    browser,
    server,
    registerAt,
  }) => {
    // The demo brand that also supports Russian.
    const origin = server.brandOrigin(language === 'ru' ? 'mego' : 'lumen');
    const customer = await registerAt(origin);
    const t = await loadTranslate(language);
    const page = await (await browser.newContext({ ...desktop, locale })).newPage();
    const authenticator = await withLock(page);
    await visit(page, `${origin}/login?language=${language}&return=%2Fpasskeys%3Flanguage%3D${language}`);
    await page.locator('input[name=account]').fill(customer.account);
    await page.locator('input[name=password]').fill(customer.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/passkeys**`);
    await button(page, t('Add passkey')).waitFor();
    await page.waitForLoadState('networkidle');
    await tabTo(page, button(page, t('Add passkey')));
    await page.keyboard.press('Enter');
    await page.locator('[name=password]').waitFor();
    await expect(page.locator('[name=password]')).toBeFocused();
    await page.keyboard.type(customer.password);
    await page.keyboard.press('Enter');
    await expect(page.locator('[name=name]')).toBeFocused();
    await expectNoFaults(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText(t('Your passkey is ready. Next time, choose it on the login page.'))).toBeVisible();
    expect(await authenticator.count()).toBe(1);
    await expectNoFaults(page);
    await page.context().close();
  });
}
