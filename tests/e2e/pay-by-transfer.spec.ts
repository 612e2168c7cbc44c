import type { Page } from '@playwright/test';
import { uploadObject } from '#contract/index.ts';
import { chooseMethod, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { smallPicture } from '#tests/fixtures/small-picture.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

/** Chooses the method, up to the page with the account details. Returns the order. */
async function startTransfer(page: Page, currency: string, method: string): Promise<string> {
  await page.locator('select[name="currency"]').selectOption(currency);
  await chooseMethod(page, method);
  await page.locator('form input[name="firstName"]').fill('Ana');
  await page.locator('form input[name="lastName"]').fill('Souza');
  await nextButton(page).click();
  await expect(page).toHaveURL(/\/(paymentCaishen|paynowTips)\?/);
  return new URL(page.url()).searchParams.get('orderId') ?? '';
}

/** Accepts or rejects the proof of an order as the operator. */
async function reviewProof(operatorPage: Page, orderId: string, verdict: 'Accept' | 'Reject'): Promise<void> {
  await operatorPage.goto('/sandbox/desk');
  const proof = operatorPage.locator('section').filter({ hasText: orderId });
  await proof.getByRole('button', { name: verdict }).click();
  await expect(proof).toHaveCount(0);
}

test.describe('a transfer by PayNow', () => {
  test.use({ baseURL: async ({ server }, use) => use(server.brandOrigin('mego')) });

  test('a rejected picture of the transfer is replaced, and the accepted one pays the order @slow', async ({
    page,
    context,
    server,
    registerAt,
    beSignedIn,
  }) => {
    await beSignedIn(page, await registerAt(server.brandOrigin('mego')));
    await visit(page, '/payment?planId=201');
    const orderId = await startTransfer(page, 'SGD', 'paynow');
    await page.getByRole('button', { name: 'Show the PayNow code to scan or save' }).click();
    await expect(page.getByRole('img', { name: /^PayNow code/ })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Mego Media Pte Ltd');
    await expectNoFaults(page);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy reference' }).click();
    const reference = await page.evaluate(() => navigator.clipboard.readText());
    await expect(page.getByText(reference, { exact: true })).toBeVisible();

    // A file that is not a picture is refused before it is sent.
    const file = page.locator('input[type="file"]');
    await file.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('I have paid') });
    await expect(page.getByText('We can’t read this file.')).toBeVisible();
    await expect(file).toHaveAttribute('aria-invalid', 'true');

    const whole = smallPicture('transfer.png', 200);
    const half = whole.buffer.subarray(0, whole.buffer.length / 2);
    await file.setInputFiles({ ...whole, buffer: half });
    await expect(page.getByText('We can’t open this picture: it’s damaged or incomplete.')).toBeVisible();
    await file.setInputFiles(whole);
    await expect(page.getByRole('img', { name: 'Your proof of payment' })).toBeVisible();
    await page.getByRole('button', { name: 'Send proof of payment' }).click();
    await expect(page.getByText('We’ve received your proof of payment')).toBeVisible();
    await expect(page.getByText('Usually checked within 12 hours')).toBeVisible();
    await expect(page.getByRole('link', { name: 'View my orders' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Pay another way' })).toHaveCount(0);
    await expectNoFaults(page);
    await page.reload();
    await expect(page.getByText('We’re checking your transfer manually. Please don’t pay again.')).toBeVisible();

    // The operator rejects the picture. The next one is accepted.
    const operatorPage = await context.newPage();
    await reviewProof(operatorPage, orderId, 'Reject');
    await expect(page.getByText('We couldn’t accept your proof of payment')).toBeVisible({ timeout: 20_000 });
    await expectNoFaults(page);
    await page.goto('/orders');
    const pendingOrder = page.getByRole('listitem').filter({ hasText: orderId });
    await expect(pendingOrder).toContainText('Proof rejected');
    await expect(pendingOrder).toContainText('We couldn’t find this transfer in our account.');
    await pendingOrder.getByRole('button', { name: 'Send new proof' }).click();
    await expect(page).toHaveURL(/\/paynowTips\?/);
    await file.setInputFiles(smallPicture('better.png', 90));
    await page.getByRole('button', { name: 'Send proof of payment' }).click();
    await expect(page.getByText('We’ve received your proof of payment')).toBeVisible();
    await reviewProof(operatorPage, orderId, 'Accept');
    await operatorPage.close();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Receipt' }).click();
    await expect(page.getByRole('article')).toContainText('PayNow');
    await expect(page.getByRole('article')).toContainText(orderId);
  });
});

test.describe('a transfer by Caishen, in Spanish', () => {
  test.use({ locale: 'es-ES', expectedErrors: /net::ERR_/ });

  test('a picture that is lost on the way is reported, remains selected, and is sent again @slow', async ({
    page,
    server,
    cutter,
    registerAt,
    beSignedIn,
  }) => {
    const t = await loadTranslate('es');
    const origin = cutter.origin.replace('localhost', 'mego.localhost');
    await beSignedIn(page, await registerAt(server.brandOrigin('mego')));
    await visit(page, `${origin}/payment?planId=201&language=es`);
    const orderId = await startTransfer(page, 'CNY', 'caishen');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Caishen');
    await expectNoFaults(page);

    cutter.cutBefore(uploadObject.path);
    await page.locator('input[type="file"]').setInputFiles(smallPicture('transferencia.png', 160));
    await page.getByRole('button', { name: t('Send proof of payment') }).click();
    const lost = t(
      'The connection was lost, and your proof of payment may not have arrived. It’s still here: send it again.',
    );
    await expect(page.getByText(lost)).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('img', { name: t('Your proof of payment') })).toBeVisible();
    await expectNoFaults(page);
    cutter.mend();
    await page.getByRole('button', { name: t('Send proof of payment') }).click();
    await expect(page.getByText(t('We’ve received your proof of payment'))).toBeVisible();
    await page.goto(`${origin}/orders?language=es`);
    const row = page.getByRole('row').filter({ hasText: orderId });
    await expect(row).toContainText('Caishen');
    await expect(page.getByRole('heading', { name: t('Waiting for your payment') })).toHaveCount(0);
    await expect(row).toContainText(t('Under review'));
    await row.getByRole('button', { name: t('Check payment') }).click();
    await expect(page).toHaveURL(new RegExp(`/paymentCaishen\\?orderId=${orderId}`));
    await expect(page.getByText(t('We’ve received your proof of payment'))).toBeVisible();
  });
});
