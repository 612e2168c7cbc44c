import type { Page } from '@playwright/test';
import { visit } from '#tests/fixtures/checkout.ts';
import { expectFine } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { withLock } from '#tests/fixtures/passkey-lock.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { wordsOf } from '#tests/fixtures/words.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** On the page of passkeys: the password, a name, and the browser's yes. */
async function addPasskey(page: Page, password: string, name: string, t = (english: string) => english) {
  await button(page, t('Add a passkey')).click();
  await page.locator('[name=password]').fill(password);
  await expectFine(page);
  await button(page, t('Go on')).click();
  await page.locator('[name=name]').fill(name);
  await expectFine(page);
  await button(page, t('Make the passkey')).click();
}

// a wrong password, a passkey that was removed
test.use({ expectedErrors: /status of 4(00|01|22)/ });

test('a customer adds a passkey, names it, logs in by it with a tap, and removes it', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  test.setTimeout(90_000);
  const lock = await withLock(page);
  await beSignedIn(page, customer);
  await visit(page, '/settings');
  await page.getByRole('link', { name: /^Passkeys/ }).click();
  await expect(page).toHaveURL('/passkeys');
  await expectFine(page);
  await button(page, 'Add a passkey').click();
  await page.locator('[name=password]').fill('not my password');
  await button(page, 'Go on').click();
  await expect(page.locator('[name=password]')).toHaveAccessibleDescription(/./);
  await button(page, 'Cancel').click();
  await addPasskey(page, customer.password, 'Phone in my pocket');
  await expect(page.getByText('Your passkey is ready.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Phone in my pocket' })).toContainText('not used yet');
  expect(await lock.count()).toBe(1);
  const mail = await messageTo(server.origin, customer.account, ({ subject }) => subject.startsWith('A new passkey'));
  expect(mail.text).toContain('Phone in my pocket');
  await expectFine(page);

  await button(page, /Rename/).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Pocket');
  await page.getByRole('dialog').locator('[name=name]').press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toBeVisible();

  await visit(page, '/account');
  await button(page, 'Log out').click();
  await page.waitForURL('/');
  // the browser offers it beside the field of the account, and its owner says yes
  await visit(page, '/login?return=%2Fpasskeys');
  await expect(page).toHaveURL('/passkeys');
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toContainText('last used on');

  await button(page, /Remove/).click();
  await button(page, 'Remove this passkey').click();
  await expect(page.getByText('The passkey opens nothing here any more.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Pocket' })).toHaveCount(0);
  await visit(page, '/account');
  await button(page, 'Log out').click();
  await page.waitForURL('/');
  await lock.answers(false);
  await visit(page, '/login');
  await button(page, 'Log in with a passkey').waitFor();
  await lock.answers(true);
  await button(page, 'Log in with a passkey').click();
  await expect(page.getByText('This passkey opens no account here.')).toBeVisible();
  await lock.answers(false);
});

test('a device that has a passkey makes no second one, and one that is refused leaves the form as it was @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const lock = await withLock(page);
  await beSignedIn(page, customer);
  await visit(page, '/passkeys');
  await addPasskey(page, customer.password, 'One');
  await expect(page.getByText('Your passkey is ready.')).toBeVisible();
  await addPasskey(page, customer.password, 'Two');
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible();
  await expect(page.locator('[name=name]')).toHaveValue('Two');
  await button(page, 'Cancel').click();
  expect(await lock.count()).toBe(1);
});

test('without WebAuthn there is nothing about passkeys at the login, and the page of passkeys says why @slow', async ({
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
  await expect(page.getByText('This browser cannot make passkeys.')).toBeVisible();
  await expectFine(page);
});

for (const [language, locale] of [
  ['en', 'en-US'],
  ['pt', 'pt-BR'],
  ['es', 'es-ES'],
  ['ru', 'ru-RU'],
] as const) {
  test(`with nothing but a keyboard, at a desktop, in ${language} @slow`, async ({ browser, server, registerAt }) => {
    // the demo brand that speaks Russian, too
    const origin = server.brandOrigin(language === 'ru' ? 'mego' : 'lumen');
    const customer = await registerAt(origin);
    const t = await wordsOf(language);
    const page = await (await browser.newContext({ ...desktop, locale })).newPage();
    const lock = await withLock(page);
    await visit(page, `${origin}/login?language=${language}&return=%2Fpasskeys%3Flanguage%3D${language}`);
    await page.locator('input[name=account]').fill(customer.account);
    await page.locator('input[name=password]').fill(customer.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/passkeys**`);
    await button(page, t('Add a passkey')).waitFor();
    await page.waitForLoadState('networkidle');
    await tabTo(page, button(page, t('Add a passkey')));
    await page.keyboard.press('Enter');
    await page.locator('[name=password]').waitFor();
    await expect(page.locator('[name=password]')).toBeFocused();
    await page.keyboard.type(customer.password);
    await page.keyboard.press('Enter');
    await expect(page.locator('[name=name]')).toBeFocused();
    await expectFine(page);
    await page.keyboard.press('Enter');
    await expect(page.getByText(t('Your passkey is ready. Next time, choose it on the login page.'))).toBeVisible();
    expect(await lock.count()).toBe(1);
    await expectFine(page);
    await page.context().close();
  });
}
