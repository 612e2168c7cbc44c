import { withdrawOrder } from '#contract/index.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { press as pressOk } from '#tests/fixtures/remote-control.ts';
import { tv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';
import { heading, main, openFromAccount } from '#tests/fixtures/account-pages.ts';

// A second email is requested too soon.
test.use({ expectedErrors: /status of (401|422|429)/ });

test('receipts are listed by year, open for printing, and are emailed on request @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await openFromAccount(page, 'Receipts');
  await expect(main(page)).toContainText('You have no receipts yet');
  await expectNoFaults(page);
  const { orderId } = await buyByCard(customer, '101');
  const { orderId: second } = await buyByCard(customer, '301');
  await visit(page, '/receipts');
  const year = String(new Date().getFullYear());
  const rows = page.getByRole('region', { name: year }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(second);
  await expectNoFaults(page);

  const row = rows.filter({ hasText: orderId });
  const since = Date.now();
  await row.getByRole('button', { name: 'Email it to me' }).click();
  await expect(row.getByRole('status')).toHaveText(/We’ve emailed a\*\*\*@example\.com/);
  const sent = await messageTo(server.origin, customer.account, ({ at, text }) => at > since && text.includes(orderId));
  expect(sent.text).toContain(`/receipt?orderId=${orderId}`);
  await row.getByRole('button', { name: 'Email it to me' }).click();
  await expect(row.getByRole('status')).toContainText('You can request another email in 1 minute.');
  await expectNoFaults(page);

  await row.getByRole('link', { name: 'Open and print' }).click();
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
});

test('a receipt has the number and the tax of its invoice, and the credit note after a refund', async ({
  page,
  server,
  registerAt,
  beSignedIn,
}) => {
  const origin = server.brandOrigin('baobab');
  const customer = await registerAt(origin);
  const { orderId } = await buyByCard(customer, '501', 'KES');
  await beSignedIn(page, customer);
  await visit(page, `${origin}/receipt?orderId=${orderId}`);
  const number = main(page).getByText(/^BAO-\d{4}-\d{6}$/);
  await expect(number).toBeVisible();
  await expect(heading(page, 'Invoice')).toBeVisible();
  await expect(page).toHaveTitle(/^Invoice · /);
  // 450 * 16 / 116 = 62.07
  await expect(main(page)).toContainText(/Includes 16% VAT\s*KSh\s62\.07\s*Net amount\s*KSh\s387\.93/);
  await expect(main(page)).toContainText('Tax number: P051234567A');
  await expectNoFaults(page);
  await customer.call(withdrawOrder, { body: { orderId } });
  await page.reload();
  await expect(main(page)).toContainText(
    /Credit note BAO-\d{4}-\d{6} of [^-]+-KSh\s450\s*Includes 16% VAT\s*-KSh\s62\.07/,
  );
  await expectNoFaults(page);
});

test.describe('on a TV, in Russian, with only the arrows and OK', () => {
  test.use({ ...tv, locale: 'ru-RU' });

  test('a customer opens the receipts and has one emailed @slow', async ({ page, server, registerAt, beSignedIn }) => {
    const t = await loadTranslate('ru');
    const origin = server.brandOrigin('mego');
    const customer = await registerAt(origin);
    await buyByCard(customer, '201', 'USD');
    await beSignedIn(page, customer);
    await visit(page, `${origin}/account?st=STB&language=ru`);
    await pressOk(page, main(page).getByRole('link', { name: t('Receipts') }));
    await expect(heading(page, t('Receipts'))).toBeVisible();
    await pressOk(page, page.getByRole('button', { name: t('Email it to me') }));
    await expect(main(page).getByRole('listitem').getByRole('status')).toContainText('a***@example.com');
    await expectNoFaults(page);
    // From there to the pages below the settings, and back.
    await pressOk(page, main(page).getByRole('link', { name: t('Settings'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('My data') }));
    await expect(heading(page, t('My data'))).toBeVisible();
    await expectNoFaults(page);
    await pressOk(page, main(page).getByRole('link', { name: t('Settings'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('Passkeys') }));
    await expect(heading(page, t('Passkeys'))).toBeVisible();
    await pressOk(page, main(page).getByRole('link', { name: t('Account'), exact: true }));
    await pressOk(page, main(page).getByRole('link', { name: t('Connect a TV') }));
    await expect(heading(page, t('Connect a TV'))).toBeVisible();
  });
});
