import { chooseMethod, fillPayer, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

const atPaypal = /\/sandbox\/paypal\/checkoutnow\?token=/;

test.use({ locale: 'es-ES' });

test('a customer whose card PayPal declines returns there, chooses another one, and pays once @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const t = await loadTranslate('es');
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'paypal');
  await expect(
    page.getByText(t('You’ll go to {name}, approve the payment there and come back here.', { name: 'PayPal' })),
  ).toBeVisible();
  await nextButton(page).click();

  await expect(page).toHaveURL(atPaypal);
  await expect(page.getByText('R$19.90')).toBeVisible();
  await pressAtBank(page, 'Pay by a card that is declined');
  await expect(page).toHaveURL(/\/paymentResult\?/);
  const notice = page.getByText(
    t(
      'PayPal hasn’t made this payment yet. Continue there and choose another card or account if the first one didn’t work.',
    ),
  );
  await expect(notice).toBeVisible();
  await expectNoFaults(page);
  await page.reload();
  await expect(notice).toBeVisible();

  await page.getByRole('link', { name: t('Go to payment page') }).click();
  await expect(page).toHaveURL(atPaypal);
  await pressAtBank(page, 'Pay');
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
  await expectNoFaults(page);
  await visit(page, '/orders');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').last()).toContainText(t('Paid'));
});

test.describe('on a desktop', () => {
  test.use(desktop);

  test('a customer who cancels at PayPal has paid nothing, and pays the same order by another method @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    const t = await loadTranslate('es');
    await beSignedIn(page, customer);
    await visit(page, '/payment?planId=101');
    await chooseMethod(page, 'paypal');
    await nextButton(page).click();
    await expect(page).toHaveURL(atPaypal);
    const paypal = page.url();
    await pressAtBank(page, 'Cancel and return');
    await expect(page).toHaveURL(/\/paymentResult\?/);
    await expect(page.getByRole('heading', { name: t('You haven’t paid yet') })).toBeVisible();
    await expect(page.getByText(t('You left the payment page without paying, and nothing was charged.'))).toBeVisible();
    await expectNoFaults(page);
    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
    await page.getByRole('link', { name: t('View my orders') }).click();
    await page
      .getByRole('button', { name: t('Continue payment') })
      .first()
      .click();
    await expect(page).toHaveURL(/\/payment-redirect\?/);
    await page.getByRole('link', { name: t('Pay another way') }).click();
    await expect(page).toHaveURL(new RegExp(`orderId=${orderId}`));
    await chooseMethod(page, 'pix');
    await fillPayer(page);
    await nextButton(page).click();
    await expect(page).toHaveURL(`/payment-pix?orderId=${orderId}`);
    // PayPal cannot close its page. An approval there is no longer accepted.
    await page.goto(paypal);
    await pressAtBank(page, 'Pay');
    await expect(page).toHaveURL(/\/paymentResult\?/);
    await expect(page.getByRole('button', { name: t('Show Pix code') })).toBeVisible();
  });
});
