/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test';
import { waitForHydration, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { overlappingText, brokenText, doubleTextSize, fixedContentShare } from '#tests/fixtures/overlapping-text.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { buyByCard, payByCard, quoteByCard } from '#tests/fixtures/customer.ts';
import { widthFaults } from '#tests/fixtures/faults.ts';
import { ways } from '#tests/fixtures/payment-flows/payment-flows.ts';
import { payInWay } from '#tests/fixtures/payment-flows/waiting-order.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const publicAddresses = ['/', '/pricing-table', '/help', '/login', '/register'];

test.describe('with text twice as large', () => {
  test.use({ viewport: { width: 412, height: 915 }, isMobile: false, locale: 'pt-BR' });

  test('all text is readable and none overlaps @slow', async ({ page, server, customer, logIn }) => {
    const { orderId } = await buyByCard(customer, '101');
    const faults: string[] = [];
    const checkPage = async (address: string) => {
      await doubleTextSize(page);
      const found = [overlappingText, brokenText, widthFaults, cutBrand, unfittingFields].map((find) => find(page));
      for (const fault of (await Promise.all(found)).flat()) faults.push(`${address}: ${fault}`);
    };
    const checkPages = async (addresses: readonly string[]) => {
      for (const address of addresses) {
        await page.goto(server.origin + address);
        await waitForHydration(page);
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
        await checkPage(address);
      }
    };
    await checkPages(publicAddresses);
    await logIn(page, customer);
    await checkPages([
      '/orders',
      '/account',
      '/settings',
      `/receipt?orderId=${orderId}`,
      `/paymentResult?orderId=${orderId}`,
      '/payment?planId=102',
    ]);
    await nextButton(page).click();
    await expect(page.getByLabel('Número do cartão')).toBeVisible();
    await expect(page).toHaveTitle(/^Confirmar e pagar · /);
    await checkPage('details');
    expect(faults).toEqual([]);
    await nextButton(page).click();
    await expect(page.locator('form [id$="-error"]').nth(2)).toBeVisible();
    await expect(page.locator('form [role="alert"]'), 'the first of several errors is announced').toHaveCount(1);
    expect(await coveredWhenFocused(page)).toEqual([]);
  });
});

test.describe('with text twice as large, in Spanish', () => {
  test.use({ viewport: { width: 412, height: 915 }, isMobile: false, locale: 'es-MX' });

  test('plans in order, orders, installments and steps keep their words and amounts @slow', async ({
    page,
    customer,
    logIn,
  }) => {
    await buyByCard(customer, '101');
    const { orderId } = await payByCard(customer, await quoteByCard(customer, '303'), { installments: 3, renew: true });
    const boleto = ways.find(({ brand, method }) => brand === 'lumen' && method === 'boleto');
    if (!boleto) throw new Error('Lumen has no boleto.');
    const waiting = await payInWay(customer, { ...boleto, planId: '301' });
    await logIn(page, customer);
    const faults: string[] = [];
    const step = resumePath(waiting.orderId, waiting.next);
    for (const address of ['/account', '/orders', `/paymentResult?orderId=${orderId}`, step]) {
      await visit(page, address);
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
      await doubleTextSize(page);
      const found = [overlappingText, brokenText, widthFaults, cutStepNumbers].map((find) => find(page));
      for (const fault of (await Promise.all(found)).flat()) faults.push(`${address}: ${fault}`);
    }
    expect(await page.locator('main ol li').count(), 'the last page has steps').toBeGreaterThan(0);
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await visit(page, '/?language=pt');
    await expect(page.getByText('Depois')).toBeVisible();
    expect(await overlappingText(page), 'the days beside their ring on a small phone').toEqual([]);
  });
});

test('the agreement fits with Russian text twice as large @slow', async ({ page, server }) => {
  await page.setViewportSize({ width: 412, height: 915 });
  await visit(page, `${server.brandOrigin('mego')}/register?language=ru`);
  await doubleTextSize(page);
  const found = [overlappingText, brokenText, widthFaults].map((find) => find(page));
  expect((await Promise.all(found)).flat()).toEqual([]);
});

test.describe('on a tablet and a small desktop', () => {
  test.use(desktop);

  test('the orders fit in Russian @slow', async ({ page, server, registerAt, beSignedIn }) => {
    const origin = server.brandOrigin('mego');
    const customer = await registerAt(origin);
    await buyByCard(customer, '201', 'USD');
    const open = ways.filter(({ brand }) => brand === 'mego');
    for (const way of open) await payInWay(customer, way);
    await beSignedIn(page, customer);
    await visit(page, `${origin}/orders?language=ru`);
    await expect(page.getByRole('button', { name: 'Отменить и вернуть деньги' })).toBeVisible();
    for (const width of [761, 901, 1280]) {
      await page.setViewportSize({ ...desktop.viewport, width });
      const overhang = await page
        .getByRole('table')
        .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
      expect(overhang, `at ${width} px`).toBeLessThanOrEqual(0);
      expect(await overlappingText(page), `at ${width} px`).toEqual([]);
    }
  });
});

/** The numbers of steps that are higher than their circles. */
const cutStepNumbers = (page: Page) =>
  page.locator('main ol li').evaluateAll((steps) =>
    steps.flatMap((one) => {
      const { content, height, fontSize } = getComputedStyle(one, '::before');
      const isCut = content.includes('counter') && parseFloat(height) < parseFloat(fontSize) * 1.2;
      return isCut ? [`a number of ${fontSize} in a circle of ${height}`] : [];
    }),
  );

/** The brand's name in the header, if it is cut. */
const cutBrand = (page: Page) =>
  page
    .locator('header a[href="/"]')
    .first()
    .locator('span')
    .evaluateAll((names) =>
      names.filter((name) => name.scrollWidth > name.clientWidth + 1).map(() => 'the name of the brand is cut'),
    );

/** HTML allows a phone number without its country code in a field of text only. */
const unfittingFields = (page: Page) =>
  page
    .locator('input[autocomplete="tel-national"][type="tel"]')
    .evaluateAll((fields) => fields.map(() => 'a field of type "tel" takes no country code'));

/** The focused controls that the bar with the main action covers; a choice is as high as its label. */
const coveredWhenFocused = (page: Page) =>
  page.evaluate(async () => {
    const bar = document.querySelector('[data-sticky-bar]');
    const controls = [...document.querySelectorAll<HTMLElement>('main a[href], main button, main input, main select')];
    const covered: string[] = [];
    for (const control of controls.filter((one) => !bar?.contains(one) && one.checkVisibility())) {
      control.focus();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { top = 0 } = bar?.getBoundingClientRect() ?? {};
      if (control === document.activeElement && control.getBoundingClientRect().bottom > top)
        covered.push(control.getAttribute('name') ?? control.innerText);
    }
    return covered;
  });

test('the current page, tab, period and step are told apart in forced colours @slow', async ({
  page,
  server,
  customer,
  logIn,
}) => {
  await buyByCard(customer, '101');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${server.origin}/pricing-table`);
  await waitForHydration(page);
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const underlined = (links: Locator) =>
    links.evaluateAll((all) =>
      all.filter((link) => getComputedStyle(link).textDecorationLine === 'underline').map((link) => link.textContent),
    );
  expect(await underlined(places)).toEqual(['Plans']);
  const periods = page.locator('label').filter({ has: page.getByRole('radio') });
  const outlined = await periods.evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
  expect(outlined.filter((style) => style !== 'none')).toHaveLength(1);
  await logIn(page, customer);
  await page.goto(`${server.origin}/account`);
  const tabs = page.locator('main nav a');
  const lines = () => tabs.evaluateAll((all) => all.map((one) => getComputedStyle(one).borderBlockEndWidth));
  await expect.poll(async () => (await lines()).filter((width) => width === '3px')).toHaveLength(1);
  // backgrounds are replaced, so a dialog without a border would have no edge
  await page.getByRole('button', { name: 'Turn on' }).click();
  const edge = await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).borderStyle);
  expect(edge).toBe('solid');
  await page.goto(`${server.origin}/payment?planId=102`);
  await expect(nextButton(page)).toBeVisible();
  expect(await underlined(page.locator('main [data-state]'))).toEqual([expect.stringContaining('Payment')]);
});

test('the main links have a row of their own at a zoom of 400% @slow', async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  for (const language of ['en', 'pt', 'es']) {
    await page.goto(`${server.origin}/?language=${language}`);
    await waitForHydration(page);
    const boxes = await page
      .locator('header nav a')
      .evaluateAll((links) => links.map((link) => ({ needs: link.scrollWidth, has: link.clientWidth })));
    for (const { needs, has } of boxes) expect(needs).toBeLessThanOrEqual(has);
    expect([...(await widthFaults(page)), ...(await cutBrand(page))]).toEqual([]);
  }
});

test.describe('on a desktop with a zoom of 400%', () => {
  test.use({ ...desktop, viewport: { width: 320, height: 256 } });

  test('fixed elements do not cover the content @slow', async ({ page, server, customer, logIn }) => {
    for (const address of publicAddresses) {
      await page.goto(server.origin + address);
      await waitForHydration(page);
      expect(await fixedContentShare(page), address).toBeLessThan(0.3);
    }
    await logIn(page, customer);
    await page.goto('/payment?planId=102');
    await expect(nextButton(page)).toBeVisible();
    expect(await fixedContentShare(page)).toBeLessThan(0.3);
  });
});

test('a navigation is announced by the name of the page, and fields announce whether they are required @slow', async ({
  page,
  server,
}) => {
  await page.goto('/pricing-table');
  await waitForHydration(page);
  const name = page.locator('[data-page-name]');
  await expect(name).toBeEmpty();
  await page.getByRole('link', { name: 'Help' }).first().click();
  await expect(name).toHaveText('Help and contact · Lumen');
  await visit(page, '/forgot-password');
  const hiddenHeight = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(await hiddenHeight(), 'what is only heard makes no page higher than the screen').toBe(0);
  await visit(page, `${server.brandOrigin('mego')}/register`);
  await page.getByText('Add nickname').click();
  await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toHaveAttribute('aria-required', 'true');
  await expect(page.getByRole('textbox', { name: 'Nickname (optional)' })).toHaveAttribute('aria-required', 'false');
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
});
