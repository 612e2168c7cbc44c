import { login, pay } from '#contract/index.ts';
import { readyToPay, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { startStaticFront } from '#tests/fixtures/static-front.ts';
import { expect, test } from '#tests/fixtures/test.ts';

test.use({ serviceWorkers: 'allow' });

test('a visitor of a static front end reads the plans, logs in and buys one with a card @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  const front = await startStaticFront(server.port);
  try {
    // The static shell contains nothing of a brand: everything on the page comes from the API.
    await visit(page, `${front.origin}/pricing-table`);
    await page.getByRole('main').locator('a[href="/plan-details/303"]').first().click();
    await expect(page).toHaveURL(`${front.origin}/plan-details/303`);
    await expect(page.getByRole('main')).toContainText('319.90');

    await visit(page, `${front.origin}/login?return=%2Faccount`);
    await logIn(page, customer);
    await expect(page).toHaveURL(`${front.origin}/account`);
    await expect(page.getByRole('main').getByText(customer.account).first()).toBeVisible();

    await readyToPay(page, `${front.origin}/payment?planId=101`);
    await nextButton(page).click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
    expect(new URL(page.url()).origin).toBe(front.origin);
    expect([...front.forwarded]).toEqual(expect.arrayContaining([login.path, pay.path]));

    // The shell itself reports an unknown address.
    await visit(page, `${front.origin}/nothing-is-here`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We can’t find this page');
  } finally {
    await page.close();
    await front.close();
  }
});
