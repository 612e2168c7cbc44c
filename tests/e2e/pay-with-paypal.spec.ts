import { alive, chooseMethod, fillPayer, nextButton, pressAtBank, visit } from '../fixtures/checkout.ts';
import { expectFine } from '../fixtures/faults.ts';
import { desktop } from '../fixtures/screens.ts';
import { expect, test } from '../fixtures/test.ts';
import { wordsOf } from '../fixtures/words.ts';

const atPaypal = /\/sandbox\/paypal\/checkoutnow\?token=/;

test.use({ locale: 'es-ES' });

test('a customer whose card PayPal declines goes back there, chooses another one, and has paid once', async ({
  page,
  customer,
  logIn,
}) => {
  const t = await wordsOf('es');
  await page.goto('/login?return=%2Fpayment%3FplanId%3D101');
  await logIn(page, customer);
  await chooseMethod(page, 'paypal');
  await expect(page.getByText(t('You go on to PayPal, approve the payment there, and come back here.'))).toBeVisible();
  await nextButton(page).click();

  await expect(page).toHaveURL(atPaypal);
  await expect(page.getByText('R$19.90')).toBeVisible();
  await pressAtBank(page, 'Pay by a card that is declined');
  await expect(page).toHaveURL(/\/paymentResult\?/);
  const says = page.getByText(
    t(
      'Your PayPal has not paid this yet. Continue there, and choose another card or account if the first one could not pay.',
    ),
  );
  await expect(says).toBeVisible();
  await expectFine(page);
  await page.reload();
  await expect(says).toBeVisible();

  await page.getByRole('link', { name: t('Continue to the payment page') }).click();
  await expect(page).toHaveURL(atPaypal);
  await pressAtBank(page, 'Pay');
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
  await expectFine(page);
  await visit(page, '/orders');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').last()).toContainText(t('Paid'));
});

test.describe('at a desktop', () => {
  test.use(desktop);

  test('PayPal comes back to another browser, which is told how the payment stands and nothing more', async ({
    page,
    browser,
    customer,
    logIn,
    baseURL,
  }) => {
    const t = await wordsOf('es');
    await page.goto('/login?return=%2Fpayment%3FplanId%3D101');
    await logIn(page, customer);
    await chooseMethod(page, 'paypal');
    await nextButton(page).click();
    await expect(page).toHaveURL(atPaypal);

    // Turns back, by the browser's own button: the page of the step is there, and leads on.
    const paypal = page.url();
    await page.goBack();
    await expect(page).toHaveURL(/\/payment-redirect\?/);
    await alive(page);
    await expect(page.getByRole('heading', { name: t('This payment has to be confirmed') })).toBeVisible();
    await expectFine(page);
    await expect(page.getByRole('link', { name: t('Continue to the payment page') })).toHaveAttribute('href', paypal);

    // The app of PayPal opens the way back in a browser that knows nobody.
    const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', locale: 'es-ES' });
    const other = await elsewhere.newPage();
    await other.goto(paypal);
    await pressAtBank(other, 'Pay');
    await expect(other.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
    await expect(other.getByRole('main')).toContainText('19,90');
    await expect(other.getByRole('main')).not.toContainText(customer.account);
    await expect(other.getByRole('link', { name: t('Receipt') })).toHaveCount(0);
    await expect(other.getByRole('link', { name: t('See my account') })).toHaveCount(0);
    await expectFine(other);
    await other.getByRole('link', { name: t('View my orders') }).click();
    await expect(other).toHaveURL(/\/login\?return=%2Forders/);
    await elsewhere.close();

    // The browser that has begun the payment hears of it by itself.
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('link', { name: t('Receipt') })).toBeVisible();
  });

  test('who cancels at PayPal has paid nothing, and pays the same order in another way', async ({
    page,
    customer,
    logIn,
  }) => {
    const t = await wordsOf('es');
    await page.goto('/login?return=%2Fpayment%3FplanId%3D101');
    await logIn(page, customer);
    await chooseMethod(page, 'paypal');
    await nextButton(page).click();
    await expect(page).toHaveURL(atPaypal);
    const paypal = page.url();
    await pressAtBank(page, 'Cancel and return');
    await expect(page).toHaveURL(/\/paymentResult\?/);
    await expect(page.getByRole('heading', { name: t('Waiting for your payment') })).toBeVisible();
    const orderId = new URL(page.url()).searchParams.get('orderId') ?? '';
    await page.getByRole('link', { name: t('View my orders') }).click();
    await page
      .getByRole('button', { name: t('Continue payment') })
      .first()
      .click();
    await expect(page).toHaveURL(/\/payment-redirect\?/);
    await page.getByRole('link', { name: t('Choose another way to pay') }).click();
    await expect(page).toHaveURL(new RegExp(`orderId=${orderId}`));
    await chooseMethod(page, 'pix');
    await fillPayer(page);
    await nextButton(page).click();
    await expect(page).toHaveURL(`/payment-pix?orderId=${orderId}`);
    // PayPal cannot close its page; what is approved there now is not taken.
    await page.goto(paypal);
    await pressAtBank(page, 'Pay');
    await expect(page).toHaveURL(/\/paymentResult\?/);
    await expect(page.getByRole('button', { name: t('Show the Pix code') })).toBeVisible();
  });
});
