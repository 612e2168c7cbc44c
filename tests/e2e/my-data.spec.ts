import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { confirmOwner, requestDeletion } from '#contract/index.ts';
import { chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, registerCustomer } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { expectFocusSeen, tabTo } from '#tests/fixtures/keyboard.ts';
import { codeTo, messagesTo, messageTo } from '#tests/fixtures/outbox.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const password = (page: Page) => page.locator('form [name=password]');
const dayMs = 86_400_000;

/** Presses the button and returns the downloadBy file. */
async function downloadBy(page: Page, name: string): Promise<{ download: Download; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return { download, bytes: readFileSync(await download.path()) };
}

// The tests send a wrong password and use an account that no longer exists.
test.use({ expectedErrors: /status of 4(00|01|09)/ });

test('a customer downloads all data and the receipts after entering the password', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const { orderId } = await buyByCard(customer, '101');
  await beSignedIn(page, customer);
  await visit(page, '/settings');
  await page.getByRole('link', { name: /^My data/ }).click();
  await expectNoFaults(page);
  await button(page, 'My data (JSON)').click();
  await password(page).fill('not my password');
  await button(page, 'Download my data').click();
  await expect(password(page)).toHaveAccessibleDescription(/./);
  await expectNoFaults(page);
  await password(page).fill(customer.password);
  const all = await downloadBy(page, 'Download my data');
  expect(all.download.suggestedFilename()).toBe('my-data.json');
  expect(JSON.parse(all.bytes.toString())).toMatchObject({
    data: { orders: [{ orderId }], account: [{ account: customer.account }] },
  });
  await expect(page.getByText('Your browser has the file.')).toBeVisible();

  await button(page, 'My receipts (ZIP)').click();
  await password(page).fill(customer.password);
  const receipts = await downloadBy(page, 'Download my receipts');
  const files = unzipSync(receipts.bytes);
  const [name = ''] = Object.keys(files);
  expect(Object.keys(files)).toHaveLength(1);
  expect(name).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d ${orderId}\\.html$`));
  const paper = await page.context().newPage();
  await paper.setContent(strFromU8(files[name] ?? new Uint8Array()));
  await expect(paper.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(paper.getByText(customer.account)).toBeVisible();
});

test('a customer confirms with a code from an email instead of the password @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, '/my-data');
  await button(page, 'My data (JSON)').click();
  await button(page, 'Send a code instead').click();
  await expect(page.getByText('We’ll email you a 4-digit code.')).toBeVisible();
  await button(page, 'Send code').click();
  await expect(page.locator('[name=code]')).toBeFocused();
  await expectNoFaults(page);
  await page.locator('[name=code]').fill(await codeTo(server.origin, customer.account));
  const { bytes } = await downloadBy(page, 'Download my data');
  expect(bytes.toString()).toContain(customer.account);
});

test('a customer cancels a deletion, deletes the account later, and can then no longer log in @slow', async ({
  page,
  logIn,
  shop,
}) => {
  test.setTimeout(150_000);
  const customer = await registerCustomer(shop.origin);
  await buyByCard(customer, '101');
  await visit(page, `${shop.origin}/login?return=%2Fmy-data`);
  await logIn(page, customer);
  await deleteAccount(page, customer.password);
  const mail = await messageTo(shop.origin, customer.account, ({ subject }) => subject.includes('will be deleted'));
  expect(mail.text).toContain('/my-data');
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
  await expectNoFaults(page);

  // Home and account show it as well, and offer nothing for sale.
  for (const path of ['/', '/account']) {
    await visit(page, `${shop.origin}${path}`);
    await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add more days' })).toHaveCount(0);
  }

  // A login before the deletion leads to the choice first.
  await button(page, 'Log out').click();
  await page.waitForURL(`${shop.origin}/`);
  await shop.passTime(5 * dayMs);
  await visit(page, `${shop.origin}/login?return=%2Forders`);
  await logIn(page, customer);
  await expect(page).toHaveURL(`${shop.origin}/my-data`);
  await button(page, 'Keep my account').click();
  await expect(page.getByText(/^Your account will be deleted on/)).toHaveCount(0);
  await expect(button(page, 'Delete my account…')).toBeVisible();

  await deleteAccount(page, customer.password);
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
  await shop.passTime(7 * dayMs);
  const subjects = async () => (await messagesTo(shop.origin, customer.account)).map(({ subject }) => subject);
  // The job runs every ten seconds.
  await expect.poll(subjects, { timeout: 30_000 }).toContain('Your Lumen account has been deleted');
  await page.goto(`${shop.origin}/orders`);
  await expect(page.getByText('Please log in again')).toBeVisible();
  await page.locator('form [name=account]').fill(customer.account);
  await page.locator('form [name=password]').fill(customer.password);
  await page.locator('form [name=password]').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'These login details are not correct' })).toBeVisible();
});

test('a customer whose account will be deleted is warned before paying, cancels the deletion and pays @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const body = { purpose: 'deletion', password: customer.password } as const;
  const { confirmation } = await customer.call(confirmOwner, { body });
  await customer.call(requestDeletion, { body: { confirmation } });
  await beSignedIn(page, customer);
  const notice = page.getByText(/^Your account will be deleted on/);

  // The browser does not have the date yet. A late update must not shift the page, and the next page shows it.
  await visit(page, '/pricing-table');
  await expect.poll(() => page.evaluate(leavesAt)).toBeGreaterThan(0);
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(notice).toBeVisible();
  expect(await page.evaluate(layoutShift)).toBeLessThan(0.02);
  await page
    .getByRole('link', { name: /^Details of/ })
    .first()
    .click();
  await page.waitForURL('**/plan-details/**');
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: 'Buy now' }).filter({ visible: true }).first().click();
  await chooseMethod(page, 'card');
  await expect(notice).toBeVisible();
  await expectNoFaults(page);
  await fillCard(page);
  let sent = 0;
  page.on('request', (request) => (sent += Number(request.url().includes('/api/bill/pay/'))));
  await nextButton(page).click();
  await expect(notice).toBeInViewport();
  expect(sent).toBe(0);
  await button(page, 'Keep my account').click();
  await expect(page.getByText('We won’t delete your account. You can buy now.')).toBeVisible();
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
});

/** Runs in the page: when the account is deleted, according to the stored session. */
function leavesAt(): number {
  const { leavesAt: at } = JSON.parse(localStorage.getItem('marquee.me.userInfo') ?? '{}') as { leavesAt?: number };
  return at ?? 0;
}

/** Runs in the page: the layout shift without a tap (Cumulative Layout Shift). */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  });
}

/** Requests the deletion on the data page, which lists what is lost. */
async function deleteAccount(page: Page, secret: string): Promise<void> {
  await button(page, 'Delete my account…').click();
  await expect(page.getByText(/^\d+ days of access you’ve paid for/)).toBeVisible();
  await expect(page.getByText(/Orders and payments, for 10 years/)).toBeVisible();
  await password(page).fill(secret);
  await expectNoFaults(page);
  await button(page, 'Delete my account').click();
}

for (const [language, locale] of [
  ['en', 'en-US'],
  ['pt', 'pt-BR'],
  ['es', 'es-ES'],
  ['ru', 'ru-RU'],
] as const) {
  test(`a customer deletes the account and cancels that with only a keyboard, in ${language} @slow`, async ({
    browser,
    server,
    registerAt,
  }) => {
    // The demo brand that also supports Russian.
    const origin = server.brandOrigin(language === 'ru' ? 'mego' : 'lumen');
    const customer = await registerAt(origin);
    const t = await loadTranslate(language);
    const page = await (await browser.newContext({ ...desktop, locale })).newPage();
    await visit(page, `${origin}/login?language=${language}&return=%2Fmy-data%3Flanguage%3D${language}`);
    await page.locator('input[name=account]').fill(customer.account);
    await page.locator('input[name=password]').fill(customer.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/my-data**`);
    await button(page, t('Delete my account…')).waitFor();
    await page.waitForLoadState('networkidle');
    await expectNoFaults(page);
    await tabTo(page, button(page, t('Delete my account…')));
    await page.keyboard.press('Enter');
    await expect(password(page)).toBeFocused();
    await expectNoFaults(page);
    await page.keyboard.type(customer.password);
    await page.keyboard.press('Enter');
    await expect(button(page, t('Keep my account'))).toBeFocused();
    await expectFocusSeen(page);
    await expectNoFaults(page);
    await page.keyboard.press('Enter');
    await button(page, t('Delete my account…')).waitFor();
    await page.context().close();
  });
}
