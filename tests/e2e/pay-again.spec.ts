import {
  waitForHydration,
  chooseMethod,
  fillCard,
  fillPayer,
  nextButton,
  pressAtBank,
  readyToPay,
  visit,
} from '#tests/fixtures/checkout.ts';
import { buyByCard, cards } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { press } from '#tests/fixtures/remote-control.ts';
import { tv } from '#tests/fixtures/screens.ts';
import { ssoLink } from '#tests/fixtures/sso-link.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The tests pay with a declined card.
test.use({ expectedErrors: /status of 40[02]/ });

const received = 'Payment received';

test('a declined order is paid from the orders page, first by Pix and then by card instead', async ({
  page,
  context,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await readyToPay(page, '/payment?planId=301', cards.noFunds);
  await nextButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: /funds/i })).toBeVisible();

  await visit(page, '/orders');
  const row = page.getByRole('table').getByRole('row').last();
  await expect(row).toContainText('Payment failed');
  await row.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL(/\/payment\?planId=301&orderId=/);
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  await nextButton(page).click();
  await expect(page).toHaveURL(/\/payment-pix\?/);
  const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
  const bankUrl = (await page.getByRole('link', { name: 'Open my bank' }).getAttribute('href')) ?? '';

  // Another method continues the same order without a question.
  await page.getByRole('link', { name: 'Pay another way' }).click();
  await expect(page).toHaveURL(new RegExp(`orderId=${orderId}`));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoFaults(page);
  await chooseMethod(page, 'card');
  await fillCard(page);
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: received })).toBeVisible({ timeout: 20_000 });

  // The previous code is closed, and there is one order.
  const bank = await context.newPage();
  await bank.goto(bankUrl);
  await expect(bank.getByRole('heading', { name: 'Closed' })).toBeVisible();
  await bank.close();
  await visit(page, '/orders');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);
  await expect(row).toContainText(orderId);
  await expect(row).toContainText('Paid');
  await expect(row).toContainText('Credit card');
});

test('a receipt prints on one page, without the controls of the screen @slow', async ({ page, customer, logIn }) => {
  const { orderId } = await buyByCard(customer, '303');
  await page.goto(`/login?return=${encodeURIComponent(`/receipt?orderId=${orderId}`)}`);
  await logIn(page, customer);
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(page.getByText(customer.account)).toBeVisible();
  await expectNoFaults(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('article').getByText(orderId)).toBeVisible();
  for (const format of ['A4', 'Letter']) {
    const paper = (await page.pdf({ format })).toString('latin1');
    expect(paper.match(/\/Type\s*\/Page\b/g), `pages of ${format}`).toHaveLength(1);
  }
});

test.describe('on the TV itself, with only the arrows and OK', () => {
  test.use(tv);

  test('a customer opens a pending payment from the orders, and pays it by PayPal @slow', async ({
    page,
    server,
    customer,
  }) => {
    const link = (name: string) => page.getByRole('link', { name }).filter({ visible: true });
    const button = (name: string) => page.getByRole('button', { name }).filter({ visible: true });
    const choice = (name: string, value: string) => page.locator(`input[name="${name}"][value="${value}"]`);
    const signOn = await ssoLink(server, { account: customer.account, src: 'qr', to: '/stb-orders' });
    await page.goto(signOn.link);
    await press(page, button('Continue'));
    await expect(page).toHaveURL('/stb-orders');
    await press(page, link('Choose a plan'));
    await press(page, choice('period', 'month'));
    await press(page, page.locator('a[href="/plan-details/101"]').first());
    await expect(page).toHaveURL('/plan-details/101');
    await press(page, link('Buy now'));
    await press(page, choice('method', 'paypal'));
    await press(page, nextButton(page));
    await expect(page).toHaveURL(/step=details/);
    await press(page, nextButton(page));
    await expect(page).toHaveURL(/\/sandbox\/paypal\//);

    // Returns without having paid, and continues from the orders.
    await pressAtBank(page, 'Cancel and return');
    await expect(page.getByRole('heading', { name: 'You haven’t paid yet' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-screen', 'TV');
    await press(page, link('View my orders'));
    await expect(page).toHaveURL('/stb-orders');
    await press(page, button('Continue payment'));
    await expect(page).toHaveURL(/\/payment-redirect\?/);
    await expectNoFaults(page);
    await press(page, link('Go to payment page'));
    await pressAtBank(page, 'Pay');
    await expect(page.getByRole('heading', { name: received })).toBeVisible({ timeout: 20_000 });
    await press(page, link('View my orders'));
    await expect(page.getByRole('main')).toContainText('30 days left');
  });
});
