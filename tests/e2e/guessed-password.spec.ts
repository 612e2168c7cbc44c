import type { Page } from '@playwright/test';
import { login } from '../../src/contract/index.ts';
import { visit } from '../fixtures/checkout.ts';
import { expectFine } from '../fixtures/faults.ts';
import { callShop, Refused } from '../fixtures/shop-api.ts';
import { withCaptcha } from '../fixtures/solve-captcha.ts';
import { expect, test } from '../fixtures/test.ts';

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

// a wrong password, and a captcha that is due
test.use({ expectedErrors: /status of 4(01|22|00)/ });

test('whoever guesses meets a captcha and then work that grows, and the owner of the account gets in all the while @proof', async ({
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
  await home.getByRole('button', { name: 'Log out' }).click();
  await expect(home).toHaveURL(`${origin}/`);

  const guess = { account: customer.account, type: 'email', password: 'a guess' } as const;
  const guessOften = (times: number) => Promise.all(Array.from({ length: times }, () => wrongGuess(origin, guess)));
  await guessOften(10);
  await visit(page, `${origin}/login`);
  await field(page, 'account').fill(customer.account);
  await field(page, 'password').fill('another guess');
  const submit = page.getByRole('button', { name: 'Log in', exact: true });
  await submit.click();
  const letters = page.getByLabel('Characters in the picture');
  await expect(letters).toBeFocused();
  await expect(field(page, 'account')).toHaveValue(customer.account);
  await expect(field(page, 'password')).toHaveValue('another guess');
  await expectFine(page);

  // Nothing is sent without an answer; a wrong one brings another picture.
  await submit.click();
  await expect(letters).toHaveAccessibleDescription('Verification code cannot be empty');
  const before = await page.getByRole('img', { name: /Picture/ }).getAttribute('src');
  await letters.fill('00000');
  await submit.click();
  await expect(letters).toHaveAccessibleDescription('The captcha is not correct. Please try again.');
  await expect(page.getByRole('img', { name: /Picture/ })).not.toHaveAttribute('src', before ?? '');

  // Whoever cannot see it lets the device work.
  await page.getByRole('button', { name: 'I cannot see the picture' }).click();
  await expect(page.getByText('Done. Your device has proved it for you.')).toBeVisible({ timeout: 20_000 });
  await expectFine(page);
  await submit.click();
  await expect(page.getByRole('alert').filter({ hasText: 'These login details are not correct' })).toBeInViewport();
  await expect(field(page, 'password')).toHaveValue('another guess');

  await guessOften(9);
  await home.goto(`${origin}/login`);
  await logIn(home, customer);
  await expect(home, 'the device that is known waits for nothing').toHaveURL(`${origin}/account`);
  await home.context().close();

  // After twenty tries only work will do: a picture is not even looked at, and the device does the rest by itself.
  await page.getByRole('button', { name: 'Back to the picture' }).click();
  await expect(page.getByRole('img', { name: /Picture/ })).toBeVisible();
  await letters.fill('AAAAA');
  await submit.click();
  await expect(page.getByText('Done. Your device has proved it for you.')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: /picture/ })).toHaveCount(0);
  await expectFine(page);
  await field(page, 'password').fill(customer.password);
  await submit.click();
  await expect(page, 'the owner is not locked out here either').toHaveURL(`${origin}/account`);
});

async function wrongGuess(origin: string, guess: { account: string; type: 'email'; password: string }): Promise<void> {
  const refused = await withCaptcha(origin, guess, (captcha) =>
    callShop(origin, login, { body: { ...guess, ...captcha } }),
  ).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ code: 3001 });
}
