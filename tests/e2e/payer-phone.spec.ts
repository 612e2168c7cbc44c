import type { Page } from '@playwright/test';
import { areaCodes, ownPayer } from '#contract/index.ts';
import { chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import type { ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const phone = (page: Page) => page.locator('form input[name="phone"]');
const phoneBox = (page: Page) => phone(page).locator('xpath=..');

/** Without a calling code of the brand, the currency decides which one is shown. */
async function removeCallingCode(server: ShopOnPostgres): Promise<void> {
  await server.stop();
  await ask(server.database, `update brands set config = config #- '{login,areaCode}' where code = 'lumen'`);
  await server.restart();
}

/** Delays the response with the calling codes until the returned function is called. */
async function delayCallingCodes(page: Page): Promise<(how: 'answer' | 'failure') => void> {
  let end = (_: 'answer' | 'failure') => {};
  const ended = new Promise<'answer' | 'failure'>((resolve) => (end = resolve));
  await page.route(`**${areaCodes.path}*`, async (route) => {
    await ((await ended) === 'failure' ? route.abort() : route.continue());
  });
  return end;
}

/** Opens the card form and waits for the stored details of the customer. */
async function openCardForm(page: Page, origin: string): Promise<void> {
  const known = page.waitForResponse(`**${ownPayer.path}`);
  await visit(page, `${origin}/payment?planId=303`);
  await chooseMethod(page, 'card');
  await known;
  await expect(phone(page)).toBeVisible();
}

test('the phone number of the account is filled in, even if calling codes load late or not at all @slow', async ({
  page,
  browser,
  ownServer,
  registerAt,
  beSignedIn,
}) => {
  await removeCallingCode(ownServer);
  const customer = await registerAt(ownServer.origin);
  await ask(ownServer.database, `update users set phone = '5511987654321' where uid = $1`, [customer.uid]);
  await beSignedIn(page, customer);
  const answer = await delayCallingCodes(page);
  await openCardForm(page, ownServer.origin);
  await expect(phoneBox(page)).not.toContainText('+');
  answer('answer');
  await expect(phone(page)).toHaveValue('(11) 98765-4321');
  await expect(phoneBox(page)).toContainText('+55');

  const other = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await beSignedIn(other, customer);
  const fail = await delayCallingCodes(other);
  await openCardForm(other, ownServer.origin);
  fail('failure');
  await expect(phone(other)).toHaveValue('+5511987654321');
  await expect(phoneBox(other)).not.toContainText('+');
  await other.context().close();
});
