import { randomUUID } from 'node:crypto';
import { pay } from '#contract/index.ts';
import { chooseMethod, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard, cards, quoteByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { smallPicture } from '#tests/fixtures/small-picture.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test('the filter for pending payments finds an order whose outcome is unknown', async ({
  page,
  customer,
  beSignedIn,
}) => {
  for (const planId of ['101', '102', '103']) await buyByCard(customer, planId);
  // The provider fails before it responds, so the order is only submitted.
  const card = { number: cards.paid, expiry: '12/39', code: '123', holderFirstName: 'Ana', holderLastName: 'Souza' };
  const payer = { firstName: 'LOSTANSWER', lastName: 'Souza', document: '52998224725', phone: '11987654321' };
  const quoted = await quoteByCard(customer, '301');
  const body = { ...quoted, installments: 1, card, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
  const { orderId, status } = await customer.call(pay, { body }, { idempotencyKey: randomUUID() });
  expect(status).toBe('SUBMITTED');
  await beSignedIn(page, customer);
  await visit(page, '/orders');
  const unknown = page.getByRole('table').getByRole('row').filter({ hasText: orderId });
  await expect(unknown.getByRole('button')).toHaveText(/^Check payment/);
  await expect(page.getByRole('heading', { name: 'Waiting for your payment' })).toHaveCount(0);
  await page.getByLabel('Status').selectOption({ label: 'Payment pending' });
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: 'R$' });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(orderId);
  await expect(rows).toContainText('Payment pending');
  await page.getByLabel('Status').selectOption({ label: 'Paid' });
  await expect(rows).toHaveCount(3);
});

test.describe('a transfer under review', () => {
  test.use({ baseURL: async ({ server }, use) => use(server.brandOrigin('mego')) });

  test('is never called unfinished, and is mentioned first when the same plan is bought again @slow', async ({
    page,
    server,
    registerAt,
    beSignedIn,
  }) => {
    await beSignedIn(page, await registerAt(server.brandOrigin('mego')));
    await visit(page, '/payment?planId=201');
    await page.locator('select[name="currency"]').selectOption('SGD');
    await chooseMethod(page, 'paynow');
    await page.locator('form input[name="firstName"]').fill('Ana');
    await page.locator('form input[name="lastName"]').fill('Souza');
    await nextButton(page).click();
    await page.locator('input[type="file"]').setInputFiles(smallPicture('transfer.png', 200));
    await page.getByRole('button', { name: 'Send proof of payment' }).click();
    await expect(page.getByText('We’ve received your proof of payment')).toBeVisible();

    const unfinished = /payment to finish|not finished|unfinished|Waiting for your payment/i;
    await visit(page, '/orders');
    await expect(page.getByRole('table')).toContainText('Under review');
    await expect(page.getByRole('main')).not.toContainText(unfinished);
    await visit(page, '/stb-orders');
    await expect(page.getByRole('main')).toContainText('Under review');
    await expect(page.getByRole('main')).not.toContainText(unfinished);
    const loaded = page.waitForResponse((response) => response.url().endsWith('/api/bill/payment-info/detail'));
    await visit(page, '/');
    await loaded;
    await expect(page.getByText(unfinished)).toHaveCount(0);

    await visit(page, '/payment?planId=202');
    await expect(nextButton(page)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText(unfinished)).toHaveCount(0);
    await visit(page, '/payment?planId=201');
    const dialog = page.getByRole('dialog', { name: 'We are checking your payment for this plan' });
    await expect(dialog).toContainText('PayNow');
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: 'Check payment' }).click();
    await expect(page).toHaveURL(/\/paynowTips\?/);
    await expect(page.getByText('We’re checking your transfer manually. Please don’t pay again.')).toBeVisible();
  });
});
