import { paymentMethods } from '#contract/billing.ts';
import { visit } from '#tests/fixtures/checkout.ts';
import { delayRequests } from '#tests/fixtures/delay-requests.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { buyRenewing, renewalSectionOf, test } from '#tests/fixtures/renewing.ts';
import { doubleTextSize, overlappingText } from '#tests/fixtures/overlapping-text.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

// The last step opens a link that no visit to PayPal belongs to.
test.use({ expectedErrors: /status of 422/ });

test.use({ ...desktop, locale: 'es-MX' });

test('a customer without a card turns the renewal on with PayPal, and replaces the account later', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const t = await loadTranslate('es');
  const renewal = renewalSectionOf(page, t);
  const dialog = page.getByRole('dialog');
  const paypal = dialog.getByRole('radio', { name: 'PayPal', exact: true });
  const onward = dialog.getByRole('button', { name: t('Continue to {name}', { name: 'PayPal' }) });
  const alert = renewal.getByRole('alert');
  await buyRenewing(customer, { renew: false });
  await beSignedIn(page, customer);
  await visit(page, '/account');

  // turned back at PayPal: nothing has changed, and nothing is said
  const releaseMethods = await delayRequests(page, `**${paymentMethods.path}`);
  await renewal.getByRole('button', { name: t('Turn on') }).click();
  await expect(dialog.getByRole('radio', { name: /4242/ })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: /4242/ }), 'the first stop of the keyboard').toBeFocused();
  const agree = dialog.getByRole('button', { name: t('Agree and turn on') });
  await expect(agree, 'not where a choice may still arrive').toHaveCount(0);
  await releaseMethods();
  await expect(agree).toBeVisible();
  await paypal.check();
  await expect(dialog).toContainText('con PayPal.');
  await expectNoFaults(page);
  await onward.click();
  await page.getByRole('button', { name: 'Cancel and return' }).click();
  await expect(renewal.getByRole('button', { name: t('Turn on') })).toBeVisible();

  // approved: the customer is back at the question, with PayPal chosen, and agrees here
  await renewal.getByRole('button', { name: t('Turn on') }).click();
  await paypal.check();
  await onward.click();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await expect(dialog.getByRole('radio', { name: /b\*\*\*@example\.com/ })).toBeChecked();
  await expect(page).toHaveURL(/\/account$/);
  await expectNoFaults(page);
  await page.setViewportSize({ width: 320, height: 2400 });
  await doubleTextSize(page);
  expect(await overlappingText(page), 'an account on a small phone, with large letters').toEqual([]);
  await agree.click();
  await expect(alert).toContainText(/activada/);
  await expect(renewal).toContainText('b***@example.com');
  await page.setViewportSize({ width: 412, height: 2400 });
  expect(await overlappingText(page), 'the same in the sections of the page').toEqual([]);
  await page.setViewportSize(desktop.viewport);

  // another account replaces it
  await renewal.getByRole('button', { name: t('Change payment method') }).click();
  await dialog.getByRole('radio', { name: t('Another {name} account', { name: 'PayPal' }) }).check();
  await onward.click();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
  await dialog.getByRole('button', { name: t('Use PayPal') }).click();
  await expect(alert).toContainText('PayPal');

  // nothing about a card where none is charged
  await renewal.getByRole('button', { name: t('Turn off') }).click();
  await expect(dialog).toContainText(t('Turning it off is free, and you won’t be charged again.'));
  await expect(dialog).not.toContainText(/tarjeta/i);
  await dialog.getByRole('button', { name: t('Keep it on') }).click();

  // an address without an approved visit
  await visit(page, '/account?cardMethod=paypal&cardFor=change&approval_token_id=NOBODYS0VISIT');
  await expect(alert).toHaveText(t('No account was added. Nothing has changed.'));
  await expectNoFaults(page);
});
