import type { Page } from '@playwright/test';
import { waitForHydration, chooseMethod, nextButton, pressAtBank, visit } from '#tests/fixtures/checkout.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { loadTranslate } from '#tests/fixtures/translate.ts';

// Requests fail while there is no network.
test.use({ ...desktop, locale: 'ru-RU', expectedErrors: /net::ERR_INTERNET_DISCONNECTED/ });

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a customer chooses a coin, sends half of the amount, sees what is missing, and sends the rest @slow', async ({
  page,
  context,
  server,
  registerAt,
  beSignedIn,
}) => {
  const t = await loadTranslate('ru');
  const origin = server.brandOrigin('mego');
  const main = page.getByRole('main');
  await beSignedIn(page, await registerAt(origin));
  await visit(page, `${origin}/payment?planId=201&language=ru`);
  await chooseMethod(page, 'crypto');
  // 4.99 minus the 3% of coins.
  await expect(main).toContainText('4,84');
  await nextButton(page).click();

  // The page lists coins with their networks.
  await expect(page.getByRole('group', { name: t('Which coin do you want to pay with?') })).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('radio', { name: 'USDT' }).and(page.locator('[value="usdt-ethereum"]')).check();
  await page.getByRole('button', { name: t('Show amount and address') }).click();
  await expect(main).toContainText(
    t('Send only {asset}, and only on the {network} network', { asset: 'USDT', network: 'Ethereum' }),
  );

  // Another coin can be chosen until a payment arrives.
  await page.getByRole('button', { name: t('Use another coin') }).click();
  await page.getByRole('radio').and(page.locator('[value="btc-bitcoin"]')).check();
  await page.getByRole('button', { name: t('Show amount and address') }).click();
  await expect(main).toContainText('Bitcoin');
  await expectNoFaults(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: t('Copy amount') }).click();
  await expect.poll(() => readClipboard(page)).toBe('0.00007447');
  await page.getByRole('button', { name: t('Copy address') }).click();
  await expect.poll(() => readClipboard(page)).toMatch(/^bc1q[a-z0-9]{38}$/);
  const address = await readClipboard(page);
  await expect(page.getByRole('link', { name: t('Open wallet') })).toHaveAttribute(
    'href',
    new RegExp(`^bitcoin:${address}\\?amount=0.00007447`),
  );

  // Half of it arrives: the page shows the missing amount and offers no other coin.
  const wallet = await context.newPage();
  await wallet.goto((await page.getByRole('link', { name: t('Open wallet page') }).getAttribute('href')) ?? '');
  await pressAtBank(wallet, 'Send half');
  await expect(main).toContainText(t('{missing} {asset} still to send', { missing: '0.00003724', asset: 'BTC' }), {
    timeout: 15_000,
  });
  await expect(page.getByRole('button', { name: t('Use another coin') })).toHaveCount(0);
  await expectNoFaults(page);
  await page.getByRole('button', { name: t('Copy amount') }).click();
  await expect.poll(() => readClipboard(page)).toBe('0.00003724');

  // Offline, the content remains, and the page says that it continues to poll.
  await context.setOffline(true);
  const unreachable = t(
    'We can’t reach the shop right now. Everything here is still valid, and this page keeps checking.',
  );
  await expect(main).toContainText(unreachable, { timeout: 20_000 });
  await expect(main).toContainText(address);
  await context.setOffline(false);
  // A page that still waited for its next retry would miss the blocks, which arrive within seconds.
  await expect(main).not.toContainText(unreachable, { timeout: 20_000 });
  await pressAtBank(wallet, 'Send what is missing');
  await wallet.close();

  // The rest is confirmed block by block, and then the order is paid.
  const confirmed = t('{done} of {needed} confirmations', { done: '[0-3]', needed: 3 });
  await expect(page.getByRole('status').filter({ hasText: new RegExp(confirmed) })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('heading', { name: t('Payment received') })).toBeVisible({ timeout: 30_000 });
  await waitForHydration(page);
  await page.getByRole('link', { name: t('Receipt') }).click();
  await expect(page.getByRole('article')).toContainText('4,84');
});
