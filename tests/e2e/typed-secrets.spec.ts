import type { Page } from '@playwright/test';
import { changePassword } from '#contract/account.ts';
import { login } from '#contract/auth.ts';
import { codeLogin, resetPasswd, sendVerificationCode } from '#contract/codes.ts';
import { emailResetPassword, obtainResetPasswordEmail, resetPasswordByEmail } from '#contract/email.ts';
import { deviceConfirm, deviceQuery, googleLogin, sso } from '#contract/sign-on.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { goodPassword, registerCustomer } from '#tests/fixtures/customer.ts';
import { codeIn, messageTo, linkIn } from '#tests/fixtures/outbox.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/traced-shop.ts';
import {
  findIn,
  placesOfBrowser,
  placesOfDatabase,
  placesOfPage,
  placesOfWire,
  type Canary,
} from '#tests/fixtures/traces.ts';
import { startTvDevice } from '#tests/fixtures/tv-device.ts';

/** Requests that log in or send a message, which contain the token of a known device. */
const loginPaths = [
  login,
  codeLogin,
  sendVerificationCode,
  resetPasswd,
  resetPasswordByEmail,
  sso,
  googleLogin,
  deviceConfirm,
].map(({ path }) => path);

/** An account at the sandbox provider. */
const googleAccount = 'ana.lima@example.com';

const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '');

/** The token of the session, and that of the known device. */
async function storedTokens(page: Page): Promise<Canary[]> {
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  const token = /token\\*":\\*"([\w-]{20,})/.exec(stored)?.[1] ?? '';
  const device = /marquee\.site\.deviceToken":"\\"([\w.-]{20,})/.exec(stored)?.[1] ?? '';
  expect([token, device]).not.toContain('');
  return [
    { secret: token, header: 'authorization' },
    { secret: device, meantFor: loginPaths },
  ];
}

async function logOut(page: Page): Promise<void> {
  await visit(page, '/account');
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL('/');
}

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: string) => main(page).locator(`input[name="${name}"]`);
const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click();

async function typePassword(page: Page, account: string, password: string): Promise<void> {
  await field(page, 'account').fill(account);
  await field(page, 'password').fill(password);
  await press(page, 'Log in');
}

async function typeNewPassword(page: Page, password: string): Promise<void> {
  await field(page, 'password').fill(password);
  await field(page, 'repeated').fill(password);
  await press(page, 'Change password');
}

test.use({ expectedErrors: /status of 4\d\d/ });

test('passwords, codes and tokens of every login method are only in their requests to the server @slow', async ({
  page,
  server,
  wiretap,
}) => {
  test.setTimeout(120_000);
  const canaries: Canary[] = [];
  const recordSecret = (secret: string, ...meantFor: string[]) => canaries.push({ secret, meantFor });
  const { account } = await registerCustomer(server.origin);
  const passwords = ['wrong canary 1', 'canary changed 2', 'canary by mail 3'] as const;

  await visit(page, '/login');
  recordSecret(passwords[0], login.path);
  await typePassword(page, account, passwords[0]);
  await expect(main(page).getByRole('alert')).toBeVisible();
  recordSecret(goodPassword, login.path, changePassword.path);
  await typePassword(page, account, goodPassword);
  await expect(page).toHaveURL('/account');
  canaries.push(...(await storedTokens(page)));
  await visit(page, '/settings');
  await press(page, 'Change Password');
  recordSecret(passwords[1], changePassword.path, login.path);
  await field(page, 'currentPassword').fill(goodPassword);
  await typeNewPassword(page, passwords[1]);
  await expect(page).toHaveURL(/\/login/);

  await callShop(wiretap.origin, resetPasswordByEmail, { body: { email: account, language: 'en' } });
  const emailedLink = pathOf(linkIn(await messageTo(wiretap.origin, account, ({ text }) => /token=/.test(text))));
  canaries.push({
    secret: new URL(emailedLink, wiretap.origin).searchParams.get('token') ?? '',
    address: emailedLink,
    meantFor: [obtainResetPasswordEmail.path, emailResetPassword.path],
  });
  await visit(page, emailedLink);
  recordSecret(passwords[2], emailResetPassword.path);
  await typeNewPassword(page, passwords[2]);
  await expect(page).toHaveURL('/notice?type=passwordChanged');

  // Another customer, because a token created within seconds of a new password is not accepted.
  const other = await registerCustomer(server.origin);
  const { link, token } = await ssoLink(server, { account: other.account });
  canaries.push({ secret: token, address: pathOf(link), meantFor: [sso.path] });
  await visit(page, pathOf(link));
  await press(page, 'Continue');
  await expect(page).toHaveURL('/pricing-table');
  canaries.push(...(await storedTokens(page)));

  const tvDevice = await startTvDevice(wiretap.origin);
  for (const secret of [tvDevice.userCode, tvDevice.userCode.replace('-', '')]) {
    canaries.push({ secret, address: pathOf(tvDevice.link), meantFor: [deviceQuery.path, deviceConfirm.path] });
  }
  await visit(page, pathOf(tvDevice.link));
  await press(page, 'Yes, same code');
  await expect(page.getByRole('heading', { name: 'Done! Look at your TV' })).toBeVisible();
  await logOut(page);

  await visit(page, '/login');
  await press(page, 'Continue with Google');
  await page.getByRole('button', { name: /^Ana Lima/ }).click();
  await expect(page).toHaveURL(/\/register/);
  await field(page, 'agreed').check();
  await press(page, 'Create account');
  await expect(page).toHaveURL('/pricing-table');
  const returned = wiretap.toShop.find(({ url }) => /^\/login\?.*code=/.test(url))?.url ?? '';
  const code = new URL(returned, wiretap.origin).searchParams.get('code') ?? '';
  canaries.push({ secret: code, address: returned, meantFor: [googleLogin.path] });
  canaries.push(...(await storedTokens(page)));
  await logOut(page);

  await visit(page, '/login');
  await press(page, 'Use a code instead');
  await field(page, 'account').fill(googleAccount);
  await press(page, 'Send code');
  const correctCode =
    codeIn(await messageTo(wiretap.origin, googleAccount, ({ subject }) => /code/i.test(subject))) ?? '';
  // No other number begins with a zero, so that none can be mistaken for it.
  const wrongCode = correctCode === '0417' ? '0419' : '0417';
  recordSecret(wrongCode, codeLogin.path);
  await field(page, 'code').fill(wrongCode);
  await expect(main(page).getByText(/tries left/)).toBeVisible();
  await field(page, 'code').fill(correctCode);
  await expect(page).toHaveURL('/account');
  canaries.push(...(await storedTokens(page)));
  await logOut(page);

  const secrets = canaries.map(({ secret }) => secret);
  expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(3);
  const everywhere = { ...(await placesOfPage(page)), ...(await placesOfBrowser(page)), output: server.output() };
  expect(findIn(everywhere, secrets)).toEqual([]);
  expect(canaries.flatMap((canary) => findIn(placesOfWire(wiretap, canary), [canary.secret]))).toEqual([]);
  await page.close();
  await server.stop();
  expect(findIn(await placesOfDatabase(server.dataDir), secrets)).toEqual([]);
  await server.restart();
});
