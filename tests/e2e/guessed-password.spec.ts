import type { Page } from '@playwright/test';
import { login } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { callShop, Refused } from '#tests/fixtures/shop-api.ts';
import { withCaptcha } from '#tests/fixtures/solve-captcha.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

// The tests send wrong passwords and reach a captcha.
test.use({ expectedErrors: /status of 4(01|22|00)/ });

test('an attacker gets increasing proof of work, and the owner can log in at any time @slow', async ({
  page,
  browser,
  server,
  registerAt,
  logIn,
}) => {
  test.setTimeout(90_000);
  const origin = server.brandOrigin('mego');
  const customer = await registerAt(origin);
  const home = await (await browser.newContext()).newPage();
  await home.goto(`${origin}/login`);
  await logIn(home, customer);
  await home.goto(`${origin}/account`);
  await home.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(home).toHaveURL(`${origin}/`);

  const guess = { account: customer.account, type: 'email', password: 'a guess' } as const;
  const sendGuesses = (times: number) =>
    Promise.all(Array.from({ length: times }, () => sendWrongGuess(origin, guess)));
  await sendGuesses(10);
  await visit(page, `${origin}/login`);
  await field(page, 'account').fill(customer.account);
  await field(page, 'password').fill('another guess');
  const submit = page.getByRole('button', { name: 'Log in', exact: true });
  await submit.click();
  const solved = page.getByText('Done. Your device confirmed it for you.');
  await expect(page.getByRole('status').filter({ hasText: 'Your device' })).toBeFocused();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await expect(field(page, 'password')).toHaveValue('another guess');
  await expectNoFaults(page);

  // The device solves it without an action of the customer.
  await expect(solved).toBeVisible({ timeout: 20_000 });
  await expectNoFaults(page);
  await submit.click();
  await expect(page.getByRole('alert').filter({ hasText: 'These login details are not correct' })).toBeInViewport();
  await expect(field(page, 'password')).toHaveValue('another guess');

  await sendGuesses(9);
  await home.goto(`${origin}/login`);
  await logIn(home, customer);
  await expect(home, 'the device that is known waits for nothing').toHaveURL(`${origin}/account`);
  await home.context().close();

  // After twenty attempts the proof of work is harder, but the owner is still not locked out.
  await submit.click();
  await expect(solved).toBeVisible({ timeout: 30_000 });
  await expectNoFaults(page);
  await field(page, 'password').fill(customer.password);
  await submit.click();
  await expect(page, 'the owner is not locked out here either').toHaveURL(`${origin}/account`);
});

async function sendWrongGuess(
  origin: string,
  guess: { account: string; type: 'email'; password: string },
): Promise<void> {
  const refused = await withCaptcha(origin, guess, (captcha) =>
    callShop(origin, login, { body: { ...guess, ...captcha } }),
  ).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ code: 3001 });
}
