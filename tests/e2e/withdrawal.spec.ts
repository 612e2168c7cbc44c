import { withdrawOrder } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { messagesTo } from '#tests/fixtures/outbox.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The test loses a request and a response.
test.use({ expectedErrors: /net::ERR_|Failed to load resource/ });

test('a customer cancels a paid order once, and sees the result although the response was lost', async ({
  page,
  cutter,
  server,
  customer,
  beSignedIn,
}) => {
  await buyByCard(customer, '101');
  await beSignedIn(page, customer);
  await visit(page, `${cutter.origin}/orders`);
  const row = page.getByRole('table').getByRole('row').last();
  const open = row.getByRole('button', { name: /^Cancel and get your money back/ });
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Yes, cancel and refund' });
  await expect(row).toContainText('Paid');

  // The request is lost: the dialog reports it, and no longer does after it is opened again.
  cutter.cutBefore(withdrawOrder.path);
  const phone = page.viewportSize();
  await page.setViewportSize({ width: 1366, height: 860 });
  await open.click();
  await expectNoFaults(page);
  if (phone) await page.setViewportSize(phone);
  await expect(dialog).toContainText('R$19.90');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toContainText('The connection was lost');
  await dialog.getByRole('button', { name: 'Keep my plan' }).click();
  await open.click();
  await expect(confirm).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);

  // The request arrives, and its response is lost.
  cutter.mend();
  cutter.cutAfter(withdrawOrder.path);
  await confirm.click();
  await expect(row).toContainText('Refunded');
  await expect(dialog).toHaveCount(0);
  await expect(open, 'cannot be requested twice').toHaveCount(0);
  await expectNoFaults(page);
  const subjects = async () => (await messagesTo(server.origin, customer.account)).map(({ subject }) => subject);
  await expect.poll(subjects).toContainEqual(expect.stringMatching(/^You cancelled your order/));
  await page.reload();
  await expect(row).toContainText('Refunded');
  await expect(open).toHaveCount(0);
  // The browser may repeat the request by itself, but there is one refund.
  const refunds = async () => (await subjects()).filter((subject) => subject.startsWith('Your refund is on its way'));
  await expect.poll(refunds).toHaveLength(1);
});
