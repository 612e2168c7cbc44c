import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pay } from '#contract/billing.ts';
import { waitForHydration, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { findIn, placesOfBrowser, placesOfDatabase, placesOfPage, placesOfWire } from '#tests/fixtures/traces.ts';
import { expect, test } from '#tests/fixtures/traced-shop.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** A unique card number with a valid check digit (ISO/IEC 7812-1, annex B). */
function freshCard(): string {
  const digits = `5399${Array.from({ length: 11 }, () => randomInt(10)).join('')}`;
  const sum = Array.from(digits, Number).reduce((total, digit, at) => {
    const twice = at % 2 === 0 ? digit * 2 : digit;
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** Records the screens in order: each page, and each step of the checkout. */
function watchScreens(page: Page): string[] {
  const screens: string[] = [];
  page.on('framenavigated', (frame) => {
    const { pathname, searchParams } = new URL(frame.url());
    const screen = [pathname, searchParams.get('step')].filter(Boolean).join(' ');
    if (frame === page.mainFrame() && screen !== screens.at(-1)) screens.push(screen);
  });
  return screens;
}

/** All files of the database on the disk, including its journal. */
function filesOf(dataDir: string): string {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}

test.use({ locale: 'pt-BR' });

test('a new customer pays by card on four screens, buys again in three taps, and no number is stored @slow', async ({
  page,
  server,
  wiretap,
}) => {
  test.setTimeout(90_000);
  const t = await loadTranslate('pt');
  const number = freshCard();
  const main = page.getByRole('main');
  const account = freshAccount();

  // From the plans to the payment.
  await visit(page, '/pricing-table');
  const screens = watchScreens(page);
  await main.locator('a[href^="/payment?planId=103"]').click();
  await page.locator('input[name="account"]').fill(account);
  await page.getByRole('button', { name: t('Continue'), exact: true }).click();
  await page.getByLabel(t('Verification code')).fill(await codeTo(server.origin, account));
  await page.getByLabel(t('Password'), { exact: true }).fill(goodPassword);
  await page.getByLabel(t('Repeat password')).fill(goodPassword);
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: t('Create account') }).click();
  await chooseMethod(page, 'card');
  await fillCard(page, number);
  await page.getByLabel(t('Save this card for next time')).check();
  await expectNoFaults(page);
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
  expect(screens.slice(0, -1), 'screens between the prices and the result').toEqual([
    // redirects a visitor before it shows anything
    '/payment',
    '/register',
    '/payment',
    '/payment details',
  ]);

  // Buys again: choose, buy, pay. Only the code is typed.
  const name = `Mastercard •••• ${number.slice(-4)}`;
  const code = page.locator('input[name="code"]');
  await visit(page, '/pricing-table');
  await main.locator('a[href^="/payment?planId=303"]').click();
  await expect(page.getByRole('radio', { name: new RegExp(number.slice(-4)) })).toBeChecked();
  await expect(page.locator('input[name="number"]')).toHaveCount(0);
  await code.fill('12');
  await nextButton(page).click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(code).toBeFocused();
  await expectNoFaults(page);
  await code.fill('123');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });

  // Deletes the card.
  await visit(page, '/account');
  await expect(main).toContainText(name);
  await main.getByRole('listitem').filter({ hasText: name }).getByRole('button').click();
  await page.getByRole('button', { name: t('Delete this card') }).click();
  await expect(main).not.toContainText(name);
  await visit(page, '/payment?planId=303');
  await expect(page.getByRole('heading', { name: t('How do you want to pay?') })).toBeVisible();
  await waitForHydration(page);

  const spaced = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
  const secrets = [number, spaced];
  const browserPlaces = { ...(await placesOfPage(page)), ...(await placesOfBrowser(page)) };
  const responses = wiretap.fromShop.join('\n');
  expect(responses, 'the answers can be read').toContain(`"last4":"${number.slice(-4)}"`);
  const serverPlaces = { 'what the server prints': server.output(), 'what the shop answers': responses };
  expect(findIn({ ...browserPlaces, ...serverPlaces }, secrets)).toEqual([]);
  expect(findIn(placesOfWire(wiretap, { secret: number, meantFor: [pay.path] }), secrets)).toEqual([]);
  // Only in the body of the first payment: the second purchase refers to the card by its identifier.
  expect(wiretap.toShop.filter(({ body }) => secrets.some((secret) => body.includes(secret)))).toHaveLength(1);
  await page.close();
  await server.stop();
  const disk = filesOf(server.dataDir);
  expect(disk, 'the files can be read').toContain(account);
  expect(findIn({ ...(await placesOfDatabase(server.dataDir)), 'the disk': disk }, secrets)).toEqual([]);
  await server.restart();
});
