/// <reference lib="dom" />
import { formatMoney } from '#contract/money.ts';
import { waitForHydration, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { cards, freshAccount, goodPassword } from '#tests/fixtures/customer.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

test.use({ serviceWorkers: 'allow' });

/** The yearly plan for three devices of the brand Lumen, and its price. */
const plan = { id: '303', price: { amount: 31_990, currency: 'BRL' } };
const price = formatMoney(plan.price, 'pt').replaceAll(/\s/g, ' ');

test.use({ locale: 'pt-BR' });

test('a visitor registers and pays by card in installments; no personal data remains after logout', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000);
  const t = await loadTranslate('pt');
  const main = page.getByRole('main');
  const account = freshAccount();

  // Browses the plans.
  await page.goto('/');
  await waitForHydration(page);
  // React hydrates the content after the layout. Until then a tap may reload the document, and nothing gets the focus.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps')),
  );
  await main
    .getByRole('link', { name: t('Discover plans') })
    .first()
    .click();
  await expect(page).toHaveURL(/\/pricing-table$/);
  await expect(page.getByText(t('Final price may vary after login'))).toBeVisible();
  await expect(main.getByRole('listitem').filter({ hasText: price }).first()).toBeVisible();
  // Keyboard users continue at the start of the page. The other periods are rendered by the time they are selected.
  await expect(main).toBeFocused();
  const period = (value: string) => page.locator('label').filter({ has: page.locator(`input[value="${value}"]`) });
  await period('month').click();
  await expect(page.locator('li[data-period="month"]').first()).toBeVisible();
  await period('year').click();
  await page.locator(`li[data-period="year"] a[href^="/payment?planId=${plan.id}"]`).click();

  // A new visitor signs up, is told why, and continues to the payment, the third and last screen.
  await expect(page).toHaveURL(/\/register\?return=/);
  await expect(page.getByRole('status').filter({ hasText: t('You must log in to continue') })).toBeVisible();
  await page.locator('input[name="account"]').fill(account);
  await page.getByRole('button', { name: t('Continue'), exact: true }).click();
  await page.getByLabel(t('Verification code')).fill(await codeTo(server.origin, account));
  await page.getByLabel(t('Password'), { exact: true }).fill(goodPassword);
  await page.getByLabel(t('Repeat password')).fill(goodPassword);
  await page.locator('input[name="agreed"]').check();
  await page.getByRole('button', { name: t('Create account') }).click();

  // Pays in two installments.
  await expect(page).toHaveURL(/\/payment\?/);
  await chooseMethod(page, 'card');
  await expect(page.getByRole('heading', { level: 1, name: t('Confirm and pay') })).toBeFocused();
  await fillCard(page);
  const bar = page.locator('[data-sticky-bar]');
  const parts = page.locator('select[name="installments"]');
  // The highest number up to the three of the brand is preselected, and no installment is below the minimum of the
  // brand.
  await expect(bar).toContainText(/3\s×\sR\$\s106,64/);
  await expect(parts.locator('option')).toHaveCount(12);
  await parts.selectOption('2');
  await expect(parts).toContainText(/2 × R\$\s159,95 sem juros/);
  await expect(bar).toContainText(/2\s×\sR\$\s159,95/);
  await expect(bar).toContainText('319,90');
  await nextButton(page).click();

  // Sees the result, the order and the account.
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
  await expect(main).toContainText(/2\s×\sR\$\s159,95/);
  await expect(main).toContainText(`•••• ${cards.paid.slice(-4)}`);
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
  expect(orderId).toMatch(/^[A-Z0-9]{8,32}$/);
  await page.getByRole('link', { name: t('View my orders') }).click();
  const row = page.getByRole('row').filter({ hasText: orderId });
  await expect(row).toContainText(price);
  await expect(row).toContainText(t('{0} installments', { 0: 2 }).replace(/\{.*\}/, '2'));
  await page.goto('/account');
  await expect(main).toContainText(account);
  await expect(main).toContainText('365');
  await expect(main).toContainText(String(new Date(Date.now() + 365 * 86_400_000).getFullYear()));

  // Logs out.
  await page.getByRole('button', { name: t('Log out') }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText(account)).toHaveCount(0);
  await expect
    .poll(async () => {
      const { text, keys } = await browserStorageOf(page);
      const personal = keys.filter((key) => key.startsWith('marquee.me.'));
      return [...personal, ...[account, orderId, cards.paid].filter((secret) => text.includes(secret))];
    })
    .toEqual([]);
});

test('a customer completes the card verification of the bank, and the payment arrives', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'card');
  await fillCard(page, cards.challenge);
  await nextButton(page).click();
  await page.getByRole('button', { name: 'Approve' }).click({ timeout: 20_000 });
  const t = await loadTranslate('pt');
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('link', { name: t('View my account') }).click();
  await expect(page.getByRole('main')).toContainText(/\b30\b/);
});

test('on a phone, the button that changes the method is beside the name of the method @slow', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('mego');
  await beSignedIn(page, await registerAt(origin));
  // The longest method name beside the longest button label.
  await visit(page, `${origin}/payment?planId=201&language=ru`);
  await chooseMethod(page, 'card');
  const change = page.getByRole('button', { name: 'Изменить Банковская карта' });
  const row = page.getByRole('paragraph').filter({ has: change });
  const [outer, inner] = [await row.boundingBox(), await change.boundingBox()];
  expect(outer?.height).toBeLessThan((inner?.height ?? 0) * 1.5);
});

test.describe('when the server cannot list the saved cards', () => {
  test.use({ serviceWorkers: 'block', expectedErrors: /status of 400/ });

  test('a customer pays with a new card, and the page does not request the list endlessly', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    await beSignedIn(page, customer);
    let listRequests = 0;
    await page.route('**/api/bill/listCard', async (route) => {
      listRequests += 1;
      // The server refuses a request that it cannot parse.
      await route.continue({ postData: '{"cards":"all"}' });
    });
    await visit(page, '/payment?planId=101');
    await chooseMethod(page, 'card');
    await fillCard(page);
    await nextButton(page).click();
    const t = await loadTranslate('pt');
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
    expect(listRequests).toBeLessThan(10);
  });
});
