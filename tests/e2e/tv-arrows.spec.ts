import type { Page } from '@playwright/test';
import { focusSeen, pictureOf, walkEverywhere } from '#tests/fixtures/arrow-walk.ts';
import { waitForHydration, chooseMethod, fillCard, fillPayer, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { freshAccount } from '#tests/fixtures/customer.ts';
import { press, typeInto, walkTo } from '#tests/fixtures/remote-control.ts';
import { codeTo } from '#tests/fixtures/outbox.ts';
import { smartTv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

/** Viewports of TV browsers in CSS pixels: 720 and 1080 lines, and 1080 lines with a device pixel ratio of two. */
const sizes = [
  { width: 960, height: 540 },
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
] as const;

/** Expects a visible first focus, from which the arrows reach every control, at each size. */
async function expectReachable(page: Page, name: string): Promise<void> {
  await waitForHydration(page);
  const start = { control: expect.stringMatching(/./), ring: true, onScreen: true };
  await expect.poll(() => focusSeen(page), { message: `the first focus of ${name}` }).toEqual(start);
  for (const size of sizes) {
    await page.setViewportSize(size);
    const { seen, ...rest } = await walkEverywhere(page);
    expect(seen).toBeGreaterThan(1);
    expect(rest, `${name} at ${size.height} lines`).toEqual({ missed: [], stuck: [] });
  }
}

/** Pages with a code for the login by phone, which appears a moment later. */
const pagesWithCode = new Set(['/login', '/stb-orders']);
const loginCode = (page: Page) => page.getByRole('img', { name: 'Scan to log in to this TV with your phone' });

test.use(smartTv);

test.describe('including an unknown address', () => {
  test.use({ expectedErrors: /status of 404/ });

  test('every public page of a TV has a first focus, and the arrows reach every control @slow', async ({ page }) => {
    const addresses = ['/', '/pricing-table', '/plan-details/101', '/help', '/privacy', '/login', '/register'];
    for (const address of [...addresses, '/forgot-password', '/stb-orders', '/device', '/notice', '/nowhere']) {
      await visit(page, address);
      await page.waitForLoadState('networkidle');
      if (pagesWithCode.has(address)) await expect(loginCode(page)).toBeVisible();
      await expectReachable(page, address);
    }
  });
});

test('the arrows leave a plan that the server has rendered while the script of the next part is loading @slow', async ({
  page,
}) => {
  const scriptRequest = page.waitForRequest('**/assets/more-*.js');
  await page.route('**/assets/more-*.js', () => {});
  await visit(page, '/');
  await scriptRequest;
  await expectReachable(page, 'home, of which the end does not live yet');
});

test('the arrows reach every control of a sign-up as it expands, and Back collapses it @slow', async ({
  page,
  server,
}) => {
  const account = freshAccount();
  const field = (name: string) => page.locator(`form input[name="${name}"]`);
  await visit(page, '/register');
  await typeInto(page, field('account'), account);
  await press(page, page.locator('form button[type="submit"]'));
  await expect(field('code')).toBeFocused();
  await expectReachable(page, 'the code of a sign-up');
  await typeInto(page, field('code'), await codeTo(server.origin, account));
  await expect(field('password')).toBeFocused();
  await expectReachable(page, 'the password of a sign-up');
  // A form with input is left only by the Back key of the remote control.
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'GoBack', bubbles: true })),
  );
  await expect(field('password')).toBeHidden();
  await expect(field('account')).toHaveValue(account);
});

test('the arrows reach every control from the plan to the receipt @slow', async ({ page, customer, beSignedIn }) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=103');
  await expectReachable(page, 'the ways to pay');
  await chooseMethod(page, 'card');
  await expectReachable(page, 'the form of a card');
  const parts = page.locator('select[name="installments"]');
  await expect(parts).toHaveValue('3');
  // OK opens the list, in which the browser itself handles the arrows.
  await press(page, parts);
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(nextButton(page)).toHaveText(/4\s×/);
  await fillCard(page);
  await expectReachable(page, 'the form of a card with all that is asked for');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 20_000 });
  await expectReachable(page, 'the result');
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.waitForURL(/receipt/);
  await expectReachable(page, 'the receipt');

  await visit(page, '/payment?planId=102');
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  await nextButton(page).click();
  await expect(page.getByRole('img', { name: /Pix code/ })).toBeVisible({ timeout: 20_000 });
  await expectReachable(page, 'the code of a Pix');
  for (const address of ['/orders', '/account', '/stb-orders']) {
    await page.goto(address);
    await expect(page.getByRole('main')).toContainText('Yearly');
    await expectReachable(page, address);
  }
  await page.goto('/settings');
  await expect(page.getByRole('combobox', { name: 'Currency' })).toBeVisible();
  await expectReachable(page, '/settings');
});

test('a TV shows the same layout at every resolution, with large text and free margins @slow', async ({ page }) => {
  for (const address of ['/', '/pricing-table', '/login', '/stb-orders']) {
    await visit(page, address);
    if (pagesWithCode.has(address)) await expect(loginCode(page)).toBeVisible();
    const pictures = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      pictures.push(await pictureOf(page));
    }
    for (const { text, above, beside, heading } of pictures) {
      expect(text * 720, `words of ${address}`).toBeGreaterThanOrEqual(21.9);
      expect(above, `free above ${address}`).toBeGreaterThanOrEqual(0.049);
      expect(beside, `free beside ${address}`).toBeGreaterThanOrEqual(0.049);
      expect(heading[0]).toBeCloseTo(pictures[0]?.heading[0] ?? 0, 2);
      expect(heading[1]).toBeCloseTo(pictures[0]?.heading[1] ?? 0, 2);
    }
  }
});

test('Back closes a dialog, deletes in a text field, and otherwise goes back @slow', async ({ page }) => {
  await visit(page, '/');
  await press(page, page.getByRole('link', { name: 'Discover plans' }));
  await expect(page).toHaveURL('/pricing-table');
  await press(page, page.locator('input[name="period"][value="month"]'));
  await press(page, page.locator('a[href="/plan-details/101"]').filter({ visible: true }).first());
  await expect(page).toHaveURL('/plan-details/101');
  for (const key of ['Backspace', 'Escape']) {
    await press(page, page.getByRole('main').getByRole('link', { name: 'Buy now' }));
    // on a TV the login comes first, where a phone can log in by the QR code
    await expect(page).toHaveURL(/\/login\?return=/);
    await page.keyboard.press(key);
    await expect(page).toHaveURL('/plan-details/101');
  }
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/pricing-table');
  await expect(page.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Backspace');
  await expect(page).toHaveURL('/');
  // On the first page, Back is left to the TV.
  await page.keyboard.press('Backspace');
  await press(page, page.getByRole('link', { name: 'Log in' }));
  await expect(page).toHaveURL(/login/);
  const account = page.locator('input[autocomplete^="username"]');
  await walkTo(page, account);
  await page.keyboard.type('a');
  for (const key of ['Escape', 'Backspace', 'Backspace']) await page.keyboard.press(key);
  await expect(account).toHaveValue('');
  await expect(page).toHaveURL(/login/);
  await page.keyboard.type('a');
  // The event of the Back key of a Tizen TV.
  await account.evaluate((field) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'XF86Back', keyCode: 10_009, bubbles: true })),
  );
  await expect(page).toHaveURL('/');
});
