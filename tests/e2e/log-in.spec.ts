import type { Page } from '@playwright/test';
import { signup } from '#contract/index.ts';
import { waitForHydration, visit } from '#tests/fixtures/checkout.ts';
import { goodPassword } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { withCaptcha } from '#tests/fixtures/solve-captcha.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

// The tests send a wrong password and reach a captcha.
test.use({ expectedErrors: /status of 4(01|22|00)/ });

test('a customer logs in by password, in Russian, after a typo in the address and a wrong password', async ({
  page,
  server,
  registerAt,
  logIn,
}) => {
  const origin = server.brandOrigin('mego');
  const t = await loadTranslate('ru');
  const customer = await registerAt(origin);
  await visit(page, `${origin}/login?return=%2Fpricing-table`);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ru');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Log in'));
  await expect(page.getByText(t('Use a code instead')), 'this brand logs in by password').toHaveCount(0);
  const elsewhere = page.getByRole('link', { name: t('Log in on {host}', { host: 'my.mego.example' }) });
  await expect(elsewhere).toHaveAttribute('href', 'https://my.mego.example/login');

  // Email domains of the brand are suggested.
  await field(page, 'account').pressSequentially('olga');
  const offered = page.locator(`#${(await field(page, 'account').getAttribute('list')) ?? ''} option`);
  const valueOf = (options: Element[]) => options.map((option) => option.getAttribute('value'));
  const all = ['gmail.com', 'outlook.com', 'mail.ru', 'yandex.ru'].map((host) => `olga@${host}`);
  await expect.poll(() => offered.evaluateAll(valueOf)).toEqual(all);
  await field(page, 'account').pressSequentially('@ya');
  await expect.poll(() => offered.evaluateAll(valueOf)).toEqual(['olga@yandex.ru']);

  // A typo in a domain is answered with a suggestion, which one tap accepts.
  await field(page, 'account').fill('olga@gmial.com');
  await page.getByRole('button', { name: 'olga@gmail.com' }).click();
  await expect(field(page, 'account')).toHaveValue('olga@gmail.com');
  await expect(field(page, 'account')).toBeFocused();
  await expect(page.getByRole('button', { name: 'olga@gmail.com' })).toHaveCount(0);

  await field(page, 'account').fill(` ${customer.account} `);
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await field(page, 'password').fill('not my password');
  await page.getByRole('button', { name: t('Show password') }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: t('Hide password') }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'password');
  await field(page, 'password').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: t('These login details are not correct') })).toBeVisible();
  await expect(field(page, 'password')).toHaveValue('not my password');
  await expectNoFaults(page);
  await logIn(page, customer);
  await expect(page).toHaveURL(`${origin}/pricing-table`);
  await expect(page.locator('html')).toHaveAttribute('lang', /^ru/);
});

test('a phone number is remembered at the login, and logs in by password @slow', async ({ page, server }) => {
  const origin = server.brandOrigin('mego');
  const number = `9${String(Date.now()).slice(-9)}`;
  const form = { account: number, areaCode: '7', type: 'phone', password: goodPassword } as const;
  await withCaptcha(origin, form, (captcha) =>
    callShop(origin, signup, { body: { ...form, agreePolicy: true, language: 'ru', ...captcha } }),
  );
  await visit(page, origin);
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  await page.locator('label').filter({ hasText: 'Phone' }).click();
  await expect(field(page, 'areaCode')).toHaveValue('7');
  await field(page, 'phone').fill(number);
  await page.reload();
  await waitForHydration(page);
  await expect(field(page, 'phone')).toHaveValue(number);
  await expect(field(page, 'areaCode')).toHaveValue('7');
  await field(page, 'password').fill(goodPassword);
  await field(page, 'password').press('Enter');
  await expect(page).toHaveURL(`${origin}/account`);
  const shown = number.replace(/^(...)(...)(..)(..)$/, '+7 $1 $2-$3-$4');
  await expect(page.getByRole('main')).toContainText(shown);
});

test('the button stays in its place while a correct address is typed, and a typo gets a suggestion', async ({
  page,
}) => {
  await page.goto('/login');
  await page.locator('html[data-hydrated]').waitFor();
  const address = page.getByLabel('Email').and(page.locator('input[name="account"]'));
  const button = page.getByRole('button', { name: 'Log in', exact: true });
  const place = await button.boundingBox();
  await address.fill('ana@gmail.com');
  // where the suggestion of a correction would be
  await expect(page.locator('form div:has(> div > input[name="account"]) ~ [role="status"]')).toHaveCount(1);
  expect(await button.boundingBox()).toEqual(place);
  await address.fill('ana@gmial.com');
  await page.getByRole('button', { name: 'Did you mean ana@gmail.com?' }).click();
  await expect(address).toHaveValue('ana@gmail.com');
});
