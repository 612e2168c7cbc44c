/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { changePassword, deviceConfirm, listBoxes, orders } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, goodPassword, type Customer } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { waitForIdle } from '#tests/fixtures/idle.ts';
import { press as pressOk } from '#tests/fixtures/remote-control.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { startTvDevice, type TvDeviceOptions } from '#tests/fixtures/tv-device.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const main = (page: Page) => page.getByRole('main');
/** The entry of a TV among the TVs on the account page; the last logins have another one. */
const entryOf = (page: Page, name: string) =>
  main(page).locator('section[aria-labelledby="boxes"]').getByRole('listitem').filter({ hasText: name });

/** Signs a TV in with the approval of the customer. Returns its token. */
async function signInTv(origin: string, customer: Customer, options: TvDeviceOptions): Promise<string> {
  const tvDevice = await startTvDevice(origin, options);
  await customer.call(deviceConfirm, { body: { userCode: tvDevice.userCode, approve: true } });
  return (await tvDevice.ask()).token ?? '';
}
const accessOf = async (origin: string, token: string) => {
  const response = callShop(origin, orders, { body: { page: 1, size: 1 } }, { token });
  return response.then(
    () => 'orders',
    ({ code }: { code: number }) => code,
  );
};

test('the name that an unknown TV claims is not shown, its code is compared, and a refusal signs nothing in @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  await visit(page, '/login');
  await logIn(page, customer);
  const tvDevice = await startTvDevice(server.origin, {
    device: 'Support of your shop',
    model: 'Say YES to get your money back',
  });
  await page.goto(tvDevice.link);
  await expect(page.getByRole('heading', { name: 'Does your TV show this code?' })).toBeVisible();
  await expect(main(page)).toContainText(tvDevice.userCode);
  await expect(main(page)).toContainText('TV box');
  await expect(main(page)).toContainText('Did someone send you this link or code? Then choose “No”');
  await expect(main(page)).not.toContainText(/support|money/i);
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No one was logged in' })).toBeVisible();
  expect(await tvDevice.ask()).toMatchObject({ status: 400, error: 'access_denied' });
  await visit(page, '/account');
  await expect(main(page)).toContainText('No TV is logged in.');
});

test.describe('when the list of TVs cannot be reloaded', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('the section remains and has the focus after the last TV was signed out @slow', async ({
    page,
    server,
    customer,
    beSignedIn,
  }) => {
    await signInTv(server.origin, customer, { device: 'Sony', model: 'BRAVIA 4K' });
    await beSignedIn(page, customer);
    await visit(page, '/account');
    await entryOf(page, 'Sony BRAVIA').getByRole('button').click();
    let failures = 0;
    page.on('requestfailed', (request) => (failures += request.url().endsWith(listBoxes.path) ? 1 : 0));
    await page.route(`**${listBoxes.path}`, (route) => route.abort());
    await page.getByRole('button', { name: 'Log out this TV' }).click();
    // The request is retried twice before it counts as failed.
    await expect.poll(() => failures, { timeout: 30_000 }).toBe(3);
    await waitForIdle(page);
    await expect(page.getByRole('heading', { name: 'Your TVs' })).toBeFocused();
  });
});

test('a customer compares the code of a TV, and signs it out in the account with only a keyboard @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  await visit(page, '/login');
  await logIn(page, customer);
  const tvDevice = await startTvDevice(server.origin, { device: 'Sony', model: 'BRAVIA 4K' });
  await page.goto(tvDevice.link);
  await page.getByRole('button', { name: 'Yes, same code' }).click();
  await expect(page.getByRole('heading', { name: 'Done! Look at your TV' })).toBeVisible();
  const token = (await tvDevice.ask()).token ?? '';
  const forbidden = { body: { currentPassword: goodPassword, newPassword: 'the box decides' } };
  await expect(callShop(server.origin, changePassword, forbidden, { token })).rejects.toMatchObject({ code: -24031 });

  await visit(page, '/account');
  const entry = entryOf(page, 'Sony BRAVIA').filter({ hasText: 'Since' });
  const signOut = entry.getByRole('button', { name: 'Log out Sony BRAVIA' });
  const dialog = page.getByRole('dialog', { name: 'Log out Sony BRAVIA?' });
  await expectNoFaults(page);
  await signOut.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(signOut).toBeFocused();
  expect(await accessOf(server.origin, token)).toBe('orders');

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Log out this TV' }).focus();
  await page.keyboard.press('Enter');
  await expect(entry).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Your TVs' })).toBeFocused();
  expect(await accessOf(server.origin, token)).toBe(21);
});

test.describe('on a desktop, in Portuguese', () => {
  test.use({ ...desktop, locale: 'pt-BR' });

  test('of two TVs, only the selected one is signed out @slow', async ({ page, server, customer, logIn }) => {
    const t = await loadTranslate('pt');
    // The plan is for one device, and two TVs are signed in.
    await buyByCard(customer, '101');
    const [otherToken, signedOutToken] = [
      await signInTv(server.origin, customer, { device: 'LGE', model: 'webOS TV' }),
      await signInTv(server.origin, customer, { device: 'whatever it says' }),
    ];
    await visit(page, '/login');
    await logIn(page, customer);
    await visit(page, '/account');
    const tooMany = main(page).getByText('Só 1 pode assistir por vez');
    await expect(tooMany).toBeVisible();
    await expectNoFaults(page);
    await entryOf(page, t('TV box')).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    await expectNoFaults(page);
    await page.getByRole('button', { name: t('Stay logged in') }).click();
    expect(await accessOf(server.origin, signedOutToken)).toBe('orders');
    await entryOf(page, t('TV box')).getByRole('button').click();
    await page.getByRole('button', { name: t('Log out this TV') }).click();
    await expect(entryOf(page, t('TV box'))).toHaveCount(0);
    await expect(entryOf(page, 'LG webOS').getByRole('button')).toBeVisible();
    await expect(tooMany).toHaveCount(0);
    expect(await accessOf(server.origin, signedOutToken)).toBe(21);
    expect(await accessOf(server.origin, otherToken)).toBe('orders');
  });
});

test.describe('on a TV, in Russian, with only the arrows and OK', () => {
  test.use({ ...tv, locale: 'ru-RU' });

  test('a customer signs another TV out @slow', async ({ page, server, registerAt, logIn }) => {
    const t = await loadTranslate('ru');
    const origin = server.brandOrigin('mego');
    const customer = await registerAt(origin);
    const token = await signInTv(origin, customer, { device: 'Samsung' });
    await visit(page, `${origin}/login?language=ru`);
    await logIn(page, customer);
    await visit(page, `${origin}/account?st=STB&language=ru`);
    await pressOk(page, entryOf(page, 'Samsung').getByRole('button'));
    await pressOk(page, page.getByRole('button', { name: t('Log out this TV') }));
    await expect(main(page)).toContainText(
      t('No TV is logged in. Open the app on your TV and scan the code it shows.'),
    );
    expect(await accessOf(origin, token)).toBe(21);
  });
});
