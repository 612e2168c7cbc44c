import { renewInfo } from '#contract/renewal.ts';

import { fillCard, visit } from '#tests/fixtures/checkout.ts';
import { cards } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { tabTo } from '#tests/fixtures/keyboard.ts';
import { scan } from '#tests/fixtures/mail-scanner.ts';
import { linkTo } from '#tests/fixtures/outbox.ts';
import { press } from '#tests/fixtures/remote-control.ts';
import { renewalSectionOf, buyRenewing, dayMs, test } from '#tests/fixtures/renewing.ts';
import { desktop, smartTv } from '#tests/fixtures/screens.ts';
import { expect } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

// Expected refusals: a changed price, a card used by a renewal, an expired link.
test.use({ expectedErrors: /status of (409|410|422)/ });

test.describe('on a desktop, in Russian', () => {
  test.use({ ...desktop, brand: 'mego' });

  test('the link of a renewal email stops the renewal without a login, and a mail scanner does not @slow', async ({
    page,
    shop,
    customer,
  }) => {
    const t = await loadTranslate('ru');
    const origin = shop.brandOrigin('mego');
    const main = page.getByRole('main');
    await buyRenewing(customer, { planId: '201', currency: 'USD' });
    await shop.passTime(23 * dayMs);
    const link = (await linkTo(origin, customer.account, '/renewal')).replace(/language=\w+/, 'language=ru');
    expect(await scan(link)).toEqual([200, 200, 200]);

    await visit(page, link);
    await expect(main).toContainText(/4,99\s\$ каждые 30 дней|\$4,99 каждые 30 дней/);
    expect(page.url()).not.toContain('token');
    await expectNoFaults(page);
    await page.getByRole('button', { name: t('Stop renewing') }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Automatic renewal is now off'));
    await expect(main).toContainText(t('You won’t be charged again.'));
    await expectNoFaults(page);

    // Opened again, the link shows the current state. An invalid link is reported as unavailable.
    await visit(page, link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('Automatic renewal is off'));
    for (const invalidLink of [
      `${origin}/renewal?token=${'a'.repeat(43)}&language=ru`,
      `${origin}/renewal?language=ru`,
    ]) {
      await visit(page, invalidLink);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('This link is no longer available'));
    }
    await expectNoFaults(page);
  });
});

test.describe('with only a keyboard, in Spanish', () => {
  test.use({ ...desktop, locale: 'es-ES' });

  test('a customer who turns renewal on later agrees to the current price, and can replace its card @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    const t = await loadTranslate('es');
    const renewal = renewalSectionOf(page, t);
    const dialog = page.getByRole('dialog');
    await buyRenewing(customer, { renew: false });
    await beSignedIn(page, customer);

    // Simulates a price that has changed since the page loaded it.
    await page.route(
      '**/api/job/updateRenewStatus/v1',
      (route) => route.continue({ postData: route.request().postData()?.replace(':1990', ':1790') ?? '' }),
      { times: 1 },
    );
    await visit(page, '/account');
    await expect(renewal).toContainText(t('Off'));
    await expectNoFaults(page);
    const turnOn = renewal.getByRole('button', { name: t('Turn on') });
    const agree = dialog.getByRole('button', { name: t('Agree and turn on') });
    await tabTo(page, turnOn);
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText(/19,90/);
    await expect(dialog.getByRole('radio', { name: /4242/ })).toBeChecked();
    await expectNoFaults(page);
    await tabTo(page, agree);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText(t('The price has changed'));
    await expectNoFaults(page);
    await expect(agree).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(renewal.getByRole('alert')).toContainText(/activada. Próximo pago: R\$\s19,90/);
    await expect(renewal.getByRole('heading')).toBeFocused();
    expect(await customer.call(renewInfo, {})).toMatchObject({ status: 'on', terms: { price: { amount: 1990 } } });

    // A card used by a renewal cannot be deleted: its row shows its use, and offers another card.
    const saved = page.getByRole('region', { name: t('Saved cards') });
    const savedCard = saved.getByRole('listitem').filter({ hasText: '4242' });
    await expect(savedCard).toContainText(/Renueva Mensual. Próximo pago:/);
    await expect(savedCard.getByRole('button')).toHaveText(/^Cambiar tarjeta/);
    await expectNoFaults(page);
    await savedCard.getByRole('button').click();
    await fillCard(page, cards.rejected);
    await expectNoFaults(page);
    await dialog.getByRole('button', { name: t('Use this card') }).click();
    await expect(dialog.getByRole('alert')).toHaveCount(1);
    await expect(dialog.locator('input[name="code"]')).toHaveValue('');
    await expectNoFaults(page);
    await fillCard(page, '5555555555554444');
    await dialog.getByRole('button', { name: t('Use this card') }).click();
    await expect(renewal.getByRole('alert')).toContainText('Mastercard •••• 4444');
    await savedCard.getByRole('button', { name: 'Visa •••• 4242' }).click();
    await page.getByRole('button', { name: t('Delete this card') }).click();
    await expect(savedCard).toHaveCount(0);
  });
});

test.describe('on a TV', () => {
  test.use(smartTv);

  test('the arrows turn a renewal off and on @slow', async ({ page, customer, beSignedIn }) => {
    const t = await loadTranslate('en');
    const renewal = renewalSectionOf(page, t);
    const dialog = page.getByRole('dialog');
    await buyRenewing(customer);
    await beSignedIn(page, customer);
    await visit(page, '/account');
    await press(page, renewal.getByRole('button', { name: 'Turn off' }));
    await expect(dialog).toBeVisible();
    await press(page, dialog.getByRole('button', { name: 'Turn off renewal' }));
    await expect(renewal.getByRole('alert')).toContainText('You keep access until');
    await press(page, renewal.getByRole('button', { name: 'Turn on' }));
    await press(page, dialog.getByRole('button', { name: 'Agree and turn on' }));
    await expect(renewal.getByRole('alert')).toContainText('Automatic renewal is on.');
    await expectNoFaults(page);
  });

  test('a TV session that can only buy shows the renewal, without a button to change its card @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    const t = await loadTranslate('en');
    const renewal = renewalSectionOf(page, t);
    await buyRenewing(customer);
    await beSignedIn(page, { session: { ...customer.session, buysOnly: true } });
    await visit(page, '/account');
    await expect(renewal).toContainText('Visa •••• 4242');
    await expect(renewal.getByRole('button', { name: 'Turn off' })).toBeVisible();
    await expect(renewal.getByRole('button', { name: 'Change card' })).toHaveCount(0);
  });
});
