import { addCoupon } from '#contract/index.ts';
import { chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { expectNoFaults } from '#tests/fixtures/faults.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';
import { heading, main, openFromAccount } from '#tests/fixtures/account-pages.ts';

// The tests enter refused codes.
test.use({ expectedErrors: /status of (401|422|429)/ });

test('a customer adds a coupon by its code and uses it, and no address contains the code', async ({
  page,
  customer,
  beSignedIn,
}) => {
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  page.on('request', (request) => addresses.push(request.url()));
  await beSignedIn(page, customer);
  await openFromAccount(page, 'Coupons');
  await expect(main(page)).toContainText('You have no coupons right now');
  await expectNoFaults(page);

  const code = page.getByLabel('Coupon code');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  await expect(code).toHaveAccessibleDescription('Enter coupon code to continue');
  await expect(code).toBeFocused();
  await code.fill('no such');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription('This coupon is not valid');
  await code.fill('lastcall');
  await add.click();
  await expect(code).toHaveAccessibleDescription(/maximum/i);
  await expectNoFaults(page);

  await code.fill('welcome10');
  await add.click();
  await expect(page.getByRole('status').filter({ hasText: 'Coupon WELCOME10 is now yours.' })).toBeVisible();
  await expect(code).toHaveValue('');
  const ticket = main(page).getByRole('listitem').filter({ hasText: 'WELCOME10' });
  await expect(ticket).toContainText('10% off');
  await expect(ticket).toContainText('For any plan');
  await expect(ticket).toContainText('For your first purchase');
  await expect(code, 'nothing is red beside the success').not.toHaveAttribute('aria-invalid');
  await add.click();
  await expect(code).toHaveAccessibleDescription('Enter coupon code to continue');
  await expect(page.getByText('Coupon WELCOME10 is now yours.')).toHaveCount(0);
  await expect(ticket).toContainText('Until December 31, 2035');
  await expectNoFaults(page);

  await ticket.getByRole('button', { name: 'Use coupon' }).click();
  await expect(heading(page, 'Choose your plan')).toBeVisible();
  await expect(page.getByText('We’ll apply your coupon WELCOME10 at checkout.').first()).toBeVisible();
  await page
    .getByRole('link', { name: /^Choose/ })
    .filter({ visible: true })
    .first()
    .click();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Add coupon' })).toBeVisible();
  expect(addresses.filter((address) => /welcome10/i.test(address))).toEqual([]);
});

test('the checkout offers the coupons that apply, and used coupons are collapsed in the account @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await customer.call(addCoupon, { body: { code: 'WELCOME10' } });
  await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  const offered = page.getByRole('list', { name: 'Your coupons' }).getByRole('button');
  await expect(offered).toHaveText([/WELCOME10\s· 10% off/]);
  await expectNoFaults(page);
  await offered.click();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await page.locator('[data-sticky-bar] button[type="submit"]').click();

  await buyByCard(customer, '101');
  await visit(page, '/coupons');
  await expect(main(page).getByRole('listitem').filter({ visible: true })).toContainText(['LUMEN15']);
  await page.getByText('Used and expired (1)').click();
  const usedCoupon = main(page).getByRole('listitem').filter({ hasText: 'WELCOME10' });
  await expect(usedCoupon).toContainText('No longer available');
  await expectNoFaults(page);
  // The coupon is valid for two plans, so the list of plans opens first.
  await page.getByRole('button', { name: 'Use coupon LUMEN15' }).click();
  await expect(heading(page, 'Choose your plan')).toBeVisible();
});

test.describe('on a desktop, with only a keyboard', () => {
  test.use(desktop);

  test('a customer opens a coupon from the account and uses it for its plan @slow', async ({
    page,
    customer,
    beSignedIn,
  }) => {
    await customer.call(addCoupon, { body: { code: 'LUMEN15' } });
    await beSignedIn(page, customer);
    await visit(page, '/account');
    await main(page).getByRole('link', { name: 'Coupons' }).focus();
    await page.keyboard.press('Enter');
    await expect(main(page).getByRole('listitem').filter({ hasText: 'LUMEN15' })).toContainText(/R\$\s?15\.00 off/);
    await expectNoFaults(page);
    await page.getByRole('button', { name: 'Use coupon LUMEN15' }).focus();
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Choose your plan')).toBeVisible();
    // The coupon does not apply to this plan, and is applied to one that it is for.
    await visit(page, '/payment?planId=101');
    await expect(page.getByRole('button', { name: 'Add coupon' })).toBeVisible();
    await visit(page, '/payment?planId=103');
    await expect(page.getByText('Coupon LUMEN15 applied')).toBeVisible();
  });
});

test('on a phone the first step shows own coupons, and another plan is chosen in place @slow', async ({
  page,
  server,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await callShop(server.origin, addCoupon, { body: { code: 'WELCOME10' } }, { token: customer.session.token });
  await visit(page, '/payment?planId=101');
  const own = page.getByRole('list', { name: 'Your coupons' });
  await own.getByRole('button', { name: /WELCOME10/ }).click();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  const bar = page.locator('[data-sticky-bar]');
  await expect(bar).toContainText('17.91');

  // What is typed stays, and method, coupon and installments apply to the new plan.
  await chooseMethod(page, 'card');
  await page.locator('form input[name="number"]').fill('4111 1111 1111 1111');
  await page.locator('form input[name="firstName"]').fill('Ana');
  await page.goBack();
  await page.getByRole('button', { name: 'Change Monthly' }).click();
  await expectNoFaults(page);
  await page
    .getByRole('list', { name: 'Plans' })
    .getByRole('button', { name: /^Yearly.*1 device/ })
    .click();
  await expect(page).toHaveURL(/planId=103/);
  await expect(page.getByRole('button', { name: 'Change Yearly' })).toBeFocused();
  await expect(page.getByText('Coupon WELCOME10 applied')).toBeVisible();
  await chooseMethod(page, 'card');
  await expect(page.locator('form input[name="number"]')).toHaveValue('4111 1111 1111 1111');
  await expect(page.locator('form input[name="firstName"]')).toHaveValue('Ana');
});
