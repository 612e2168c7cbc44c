/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { siteConfig } from '#contract/index.ts';
import { addressesOf } from '#tests/fixtures/every-page.ts';
import { freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { nameOf, type Shown } from './shown.ts';

const field = (page: Page, name: string) => page.locator(`form input[name="${name}"]`);
const submit = (page: Page) => page.locator('form button[type="submit"]').click();
const openAll = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('main details').forEach((one) => one.setAttribute('open', '')));

/** The password form has a secondary button that switches to a code. */
const toCode = (page: Page) => page.locator('main form button[type="button"]').last().click();

async function askForCode(page: Page, account: string): Promise<void> {
  await field(page, 'account').fill(account);
  await submit(page);
  await field(page, 'code').waitFor();
}

/** Fills in the account and its code, up to the password. */
async function goToPassword(page: Page, origin: string): Promise<void> {
  const account = freshAccount();
  await askForCode(page, account);
  await field(page, 'code').fill(await codeTo(origin, account));
  await field(page, 'password').waitFor();
}

async function badPassword(page: Page): Promise<void> {
  await field(page, 'account').fill(freshAccount());
  await field(page, 'password').fill('not this one');
  await submit(page);
  await page.locator('main [role="alert"]').first().waitFor();
}

async function requestLink(page: Page): Promise<void> {
  await field(page, 'account').fill(freshAccount());
  await submit(page);
  await page.locator('main [role="status"]').first().waitFor();
}

const resetByCode = (digits: string) => async (page: Page) => {
  await field(page, 'account').fill(freshAccount());
  await page.locator('main form button[type="button"]').last().click();
  await page.waitForURL(/reset-password/);
  await field(page, 'code').fill(digits);
};

const period = (value: string) => (page: Page) =>
  page
    .locator('label')
    .filter({ has: page.locator(`input[value="${value}"]`) })
    .click();
const byPhone = (page: Page) =>
  page
    .locator('label')
    .filter({ has: page.locator('input[value="phone"]') })
    .first()
    .click();

const codeLogins: readonly Shown[] = [
  { name: 'login_by-code', address: '/login', prepare: toCode },
  {
    name: 'login_code-typed',
    address: '/login',
    prepare: async (page) => {
      await toCode(page);
      await askForCode(page, freshAccount());
      await field(page, 'code').fill('12');
    },
  },
];

/** The steps of the sign-up depend on whether the brand requires a code. */
function signUp(origin: string, signupCode: boolean): Shown[] {
  const address = '/register';
  if (!signupCode) return [{ name: 'register_empty', address, prepare: submit }];
  return [
    { name: 'register_empty', address, prepare: submit },
    { name: 'register_code', address, prepare: (page) => askForCode(page, freshAccount()) },
    {
      name: 'register_wrong-code',
      address,
      prepare: async (page) => {
        await askForCode(page, freshAccount());
        await field(page, 'code').fill('0000');
        await page.locator('[aria-invalid="true"]').waitFor();
      },
    },
    { name: 'register_password', address, prepare: (page) => goToPassword(page, origin) },
    {
      name: 'register_bad-password',
      address,
      prepare: async (page) => {
        await goToPassword(page, origin);
        await openAll(page);
        await field(page, 'password').fill(goodPassword.slice(0, 3));
        await field(page, 'repeated').fill(goodPassword);
        await submit(page);
      },
    },
  ];
}

/** Every public page, and its states after the actions of a visitor. */
export async function visitorScreens(origin: string, planId: string): Promise<Shown[]> {
  const { login } = await callShop(origin, siteConfig, {});
  return [
    ...addressesOf('page', undefined, planId).map((address) => ({ name: nameOf(address), address })),
    { name: 'home_questions', address: '/', prepare: openAll },
    { name: 'pricing-table_month', address: '/pricing-table', prepare: period('month') },
    { name: 'help_open', address: '/help', prepare: openAll },
    { name: 'login_empty', address: '/login', prepare: submit },
    { name: 'login_wrong', address: '/login', prepare: badPassword },
    { name: 'login_phone', address: '/login', prepare: byPhone },
    ...(login.codeLogin ? codeLogins : []),
    ...signUp(origin, login.signupCode),
    { name: 'forgot-password_sent', address: '/forgot-password', prepare: requestLink },
    { name: 'forgot-password_empty', address: '/forgot-password', prepare: submit },
    { name: 'reset-password_code', address: '/forgot-password', prepare: resetByCode('12') },
    { name: 'reset-password_password', address: '/forgot-password', prepare: resetByCode('1234') },
    {
      name: 'offline',
      address: '/help',
      prepare: async (page) => {
        await page.context().setOffline(true);
        await page.locator('header nav a').nth(2).click();
        await page.waitForTimeout(1500);
      },
    },
  ];
}
