import { waitForHydration, chooseMethod, fillCard, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import {
  offSessionCards,
  renewalSectionOf,
  buyRenewing,
  expectInRenewalSection,
  advanceMonth,
  signInAgain,
  test,
} from '#tests/fixtures/renewing.ts';
import { expect } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

// The tests use a session that has ended and a card that is refused.
test.use({ expectedErrors: /status of 40[129]/ });

test.describe('on a phone, in Portuguese', () => {
  test.use({ locale: 'pt-BR' });

  test('a renewing customer is charged again, replaces a refused card, and stops and resumes the renewal @slow', async ({
    page,
    shop,
    customer,
    beSignedIn,
    logIn,
  }) => {
    test.setTimeout(150_000);
    const t = await loadTranslate('pt');
    const renewal = renewalSectionOf(page, t);
    const dialog = page.getByRole('dialog');
    const logInAgain = () => signInAgain(page, (open) => logIn(open, customer));

    // Chosen at the checkout, beside a description of its terms.
    await beSignedIn(page, customer);
    await visit(page, '/payment?planId=101');
    await chooseMethod(page, 'card');
    const choice = page.getByRole('checkbox', { name: t('Renew automatically') });
    const bar = page.locator('[data-sticky-bar]');
    await expect(choice).not.toBeChecked();
    await expect(choice).toHaveAccessibleDescription(/R\$\s19,90 a cada 30 dias/);
    await expect(bar).toContainText(t('One payment, no automatic renewal'));
    await choice.check();
    await expect(bar).toContainText(/Renova em .* por R\$\s19,90/);
    await expectNoFaults(page);
    await page.reload();
    await waitForHydration(page);
    await expect(choice, 'nobody agrees by what is kept').not.toBeChecked();
    await choice.check();
    await expect(page.getByLabel(t('Save this card for next time'))).toHaveCount(0);
    await fillCard(page);
    await nextButton(page).click();
    await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('main')).toContainText(
      /Seu plano renova automaticamente: R\$\s19,90 em .* de \d{4}, com Visa/,
    );
    await expectNoFaults(page);
    await visit(page, '/account');
    await expect(renewal).toContainText(t('Next payment'));
    await expect(renewal).toContainText('Visa •••• 4242');
    await expectNoFaults(page);

    // Announced, then charged a day before the end of the plan.
    await advanceMonth(shop, shop.origin, customer);
    await logInAgain();
    await expectInRenewalSection(page, t, /1 pagamento/);
    await renewal.locator('summary').click();
    await expectNoFaults(page);
    await renewal.getByRole('link', { name: t('Receipt') }).click();
    await expect(page.getByRole('article')).toContainText(t('Renewal'));
    await visit(page, '/orders');
    await expect(page.getByRole('row').nth(1)).toContainText(t('Renewal'));

    // Another card, which the bank refuses at the next charge.
    await visit(page, '/account');
    await renewal.getByRole('button', { name: t('Change card') }).click();
    await fillCard(page, offSessionCards.noFunds);
    await dialog.getByRole('button', { name: t('Use this card') }).click();
    await expect(renewal.getByRole('alert')).toContainText('Visa •••• 3022');
    await advanceMonth(shop, shop.origin, customer);
    await logInAgain();
    await expectInRenewalSection(page, t, t('Your card was declined'));
    await expect(page.getByRole('region', { name: t('Your access') })).not.toContainText(t('Your access has ended'));
    await expectNoFaults(page);

    // The home page says so as well, and links to the remedy instead of selling the same days again.
    await visit(page, '/');
    await expect(page.getByRole('main')).toContainText(t('Your card was declined'));
    await expect(page.getByRole('link', { name: t('Renew'), exact: true })).toHaveCount(0);
    await page.getByRole('link', { name: t('Use another card') }).click();
    await expect(renewal.getByRole('heading', { name: t('Automatic renewal') })).toBeFocused();

    // The previous card is charged at once.
    await renewal.getByRole('button', { name: t('Change card') }).click();
    await expect(dialog.getByRole('radio', { name: /4242/ })).toBeChecked();
    await dialog.getByRole('button', { name: /R\$/ }).click();
    await expect(renewal.getByRole('alert')).toContainText('Visa •••• 4242');
    await expectInRenewalSection(page, t, /2 pagamentos/);
    await expect(renewal.getByText(t('Your card was declined'))).toHaveCount(0);

    // Two taps stop the renewal, and it is turned on again without a payment.
    await renewal.getByRole('button', { name: t('Turn off') }).click();
    await dialog.getByLabel(t('Why? (optional)')).selectOption('unused');
    await dialog.getByRole('button', { name: t('Turn off renewal') }).click();
    await expect(renewal.getByRole('alert')).toContainText(/desativada. Seu acesso continua até/);
    await expect(renewal.getByRole('button', { name: t('Turn on') })).toBeVisible();
    await expectNoFaults(page);
    // With a card that is not saved yet.
    await renewal.getByRole('button', { name: t('Turn on') }).click();
    await dialog.getByRole('radio', { name: t('New card') }).check();
    await fillCard(page, '5555555555554444');
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: t('Agree and turn on') }).click();
    await expect(renewal.getByRole('alert')).toContainText(/ativada. Próximo pagamento: R\$\s19,90 em/);
    await expect(renewal).toContainText('Mastercard •••• 4444');
    await expectInRenewalSection(page, t, /2 pagamentos/);
    await expect(renewal.getByRole('button', { name: t('Turn off') })).toBeVisible();
  });
});

test('a renewal that needs a card verification is confirmed at the checkout, and continues', async ({
  page,
  shop,
  customer,
  logIn,
}) => {
  test.setTimeout(90_000);
  const t = await loadTranslate('en');
  const renewal = renewalSectionOf(page, t);
  await buyRenewing(customer, { number: offSessionCards.asks });
  await advanceMonth(shop, shop.origin, customer);
  await visit(page, '/login?return=%2Faccount');
  await logIn(page, customer);
  await expectInRenewalSection(page, t, 'Your bank needs your confirmation');
  await expectNoFaults(page);
  await renewal.getByRole('link', { name: 'Confirm and pay' }).click();
  await page.waitForURL(/\/(payment|paymentResult)\?/);
  await waitForHydration(page);
  await chooseMethod(page, 'card');
  await page.getByRole('radio', { name: 'Another card' }).check();
  await fillCard(page);
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  await expectInRenewalSection(page, t, 'Next payment');
  await expect(renewal).toContainText('1 payment so far');
});
