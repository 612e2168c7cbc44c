/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { changePassword, deviceConfirm, listBoxes, orders } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, goodPassword, type Customer } from '#tests/fixtures/customer.ts';
import { expectFine } from '#tests/fixtures/faults.ts';
import { press as pressOk } from '#tests/fixtures/remote-control.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { turnOnBox, type BoxOptions } from '#tests/fixtures/tv-box.ts';
import { wordsOf } from '#tests/fixtures/words.ts';

const main = (page: Page) => page.getByRole('main');
/** The line of a TV on the account page, among the TVs; it has another one among the last sign-ins. */
const lineOf = (page: Page, name: string) =>
  main(page).locator('section[aria-labelledby="boxes"]').getByRole('listitem').filter({ hasText: name });

/** A TV that the customer has said yes to: its token. */
async function letIn(origin: string, customer: Customer, wish: BoxOptions): Promise<string> {
  const box = await turnOnBox(origin, wish);
  await customer.call(deviceConfirm, { body: { userCode: box.userCode, approve: true } });
  return (await box.ask()).token ?? '';
}
const whatOpens = async (origin: string, token: string) => {
  const asked = callShop(origin, orders, { body: { page: 1, size: 1 } }, { token });
  return asked.then(
    () => 'orders',
    ({ code }: { code: number }) => code,
  );
};

test('a stranger’s box shows no words of theirs, its code is compared, and a no lets nobody in @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  await visit(page, '/login');
  await logIn(page, customer);
  const box = await turnOnBox(server.origin, {
    device: 'Support of your shop',
    model: 'Say YES to get your money back',
  });
  await page.goto(box.link);
  await expect(page.getByRole('heading', { name: 'Does your TV show this code?' })).toBeVisible();
  await expect(main(page)).toContainText(box.userCode);
  await expect(main(page)).toContainText('A TV box');
  await expect(main(page)).toContainText('Did somebody send you this link or code? Then say no');
  await expect(main(page)).not.toContainText(/support|money/i);
  await expectFine(page);
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Nobody was signed in' })).toBeVisible();
  expect(await box.ask()).toMatchObject({ status: 400, error: 'access_denied' });
  await visit(page, '/account');
  await expect(main(page)).toContainText('No TV is signed in.');
});

test.describe('when the list of TVs cannot be loaded again', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('the section stays with its focus after the last TV was signed out @slow', async ({
    page,
    server,
    customer,
    beSignedIn,
  }) => {
    await letIn(server.origin, customer, { device: 'Sony', model: 'BRAVIA 4K' });
    await beSignedIn(page, customer);
    await visit(page, '/account');
    await lineOf(page, 'Sony BRAVIA').getByRole('button').click();
    let failures = 0;
    page.on('requestfailed', (request) => (failures += request.url().endsWith(listBoxes.path) ? 1 : 0));
    await page.route(`**${listBoxes.path}`, (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out this TV' }).click();
    // the call is repeated twice before it counts as failed
    await expect.poll(() => failures, { timeout: 30_000 }).toBe(3);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    await expect(page.getByRole('heading', { name: 'Your TVs' })).toBeFocused();
  });
});

test('a customer compares the code of a TV, finds it in the account, and signs it out by the keyboard alone @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  await visit(page, '/login');
  await logIn(page, customer);
  const box = await turnOnBox(server.origin, { device: 'Sony', model: 'BRAVIA 4K' });
  await page.goto(box.link);
  await page.getByRole('button', { name: 'Yes, the same code' }).click();
  await expect(page.getByRole('heading', { name: 'Done, look at your TV' })).toBeVisible();
  const token = (await box.ask()).token ?? '';
  const forbidden = { body: { currentPassword: goodPassword, newPassword: 'the box decides' } };
  await expect(callShop(server.origin, changePassword, forbidden, { token })).rejects.toMatchObject({ code: -24031 });

  await visit(page, '/account');
  const line = lineOf(page, 'Sony BRAVIA').filter({ hasText: 'Since' });
  const signOut = line.getByRole('button', { name: 'Sign out Sony BRAVIA' });
  const dialog = page.getByRole('dialog', { name: 'Sign out Sony BRAVIA?' });
  await expectFine(page);
  await signOut.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(signOut).toBeFocused();
  expect(await whatOpens(server.origin, token)).toBe('orders');

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Sign out this TV' }).focus();
  await page.keyboard.press('Enter');
  await expect(line).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Your TVs' })).toBeFocused();
  expect(await whatOpens(server.origin, token)).toBe(21);
});

test.describe('at a desktop, in Portuguese', () => {
  test.use({ ...desktop, locale: 'pt-BR' });

  test('of two TVs only the one that is signed out goes @slow', async ({ page, server, customer, logIn }) => {
    const t = await wordsOf('pt');
    // for one device, and two are signed in
    await buyByCard(customer, '101');
    const [stays, goes] = [
      await letIn(server.origin, customer, { device: 'LGE', model: 'webOS TV' }),
      await letIn(server.origin, customer, { device: 'whatever it says' }),
    ];
    await visit(page, '/login');
    await logIn(page, customer);
    await visit(page, '/account');
    const tooMany = main(page).getByText('Só 1 deles pode assistir por vez');
    await expect(tooMany).toBeVisible();
    await expectFine(page);
    await lineOf(page, t('A TV box')).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    await expectFine(page);
    await page.getByRole('button', { name: t('Leave it signed in') }).click();
    expect(await whatOpens(server.origin, goes)).toBe('orders');
    await lineOf(page, t('A TV box')).getByRole('button').click();
    await page.getByRole('button', { name: t('Sign out this TV') }).click();
    await expect(lineOf(page, t('A TV box'))).toHaveCount(0);
    await expect(lineOf(page, 'LG webOS').getByRole('button')).toBeVisible();
    await expect(tooMany).toHaveCount(0);
    expect(await whatOpens(server.origin, goes)).toBe(21);
    expect(await whatOpens(server.origin, stays)).toBe('orders');
  });
});

test.describe('on a TV, in Russian, with nothing but the arrows and OK', () => {
  test.use({ ...tv, locale: 'ru-RU' });

  test('a customer signs another TV out @slow', async ({ page, server, registerAt, logIn }) => {
    const t = await wordsOf('ru');
    const origin = server.brandOrigin('mego');
    const customer = await registerAt(origin);
    const token = await letIn(origin, customer, { device: 'Samsung' });
    await visit(page, `${origin}/login?language=ru`);
    await logIn(page, customer);
    await visit(page, `${origin}/account?st=STB&language=ru`);
    await pressOk(page, lineOf(page, 'Samsung').getByRole('button'));
    await pressOk(page, page.getByRole('button', { name: t('Sign out this TV') }));
    await expect(main(page)).toContainText(
      t('No TV is signed in. Open the app on your TV and scan the code that it shows.'),
    );
    expect(await whatOpens(origin, token)).toBe(21);
  });
});
