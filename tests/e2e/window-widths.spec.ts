import type { Page } from '@playwright/test';
import { chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { buyByCard } from '#tests/fixtures/customer.ts';
import { desktop, tv } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const firstWidth = 640;
const lastWidth = 1100;
const step = 20;

/** The layout of the card form and the pay button, and whether the page is cut off. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    const card = boxOf('[role="group"]:has(> div > div input[name="number"])');
    const [expiry, code] = ['expiry', 'code'].map((name) => boxOf(`input[name="${name}"]`));
    const pay = boxOf('[data-sticky-bar] button[type="submit"]');
    return {
      cardWidth: card.width,
      beside: expiry?.top === code?.top && (expiry?.right ?? 0) < (code?.left ?? 0),
      cut: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      pay: pay.width > 0,
    };
  });

test('a customer sees expiry and code side by side in a window of any width, with room to type', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  const faults: object[] = [];
  for (let width = firstWidth; width <= lastWidth; width += step) {
    await page.setViewportSize({ width, height: 600 });
    // Below 760 px the details are a separate step.
    if (width === firstWidth || (await page.locator('input[name="number"]').count()) === 0) {
      await visit(page, '/payment?planId=101');
      await chooseMethod(page, 'card');
    }
    await expect(page.locator('input[name="number"]')).toBeVisible();
    const found = await measure(page);
    if (!found.beside || found.cut || !found.pay || found.cardWidth < 340) faults.push({ width, ...found });
  }
  expect(faults).toEqual([]);
});

test('with large text, the expiry is below the number and the code below the expiry, without a gap', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await page.setViewportSize({ width: 360, height: 740 });
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'card');
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const cells = () =>
    page.evaluate(() => {
      const [number, expiry, code] = ['number', 'expiry', 'code'].map((name) => {
        const cell = document.querySelector(`input[name="${name}"]`)?.closest('[role="group"] > div');
        return cell?.getBoundingClientRect() ?? new DOMRect();
      });
      const heights = [number, expiry, code].map((box) => Math.round(box?.height ?? 0));
      return {
        below: (expiry?.bottom ?? 0) <= (code?.top ?? 0) && expiry?.left === code?.left,
        // A label of two lines makes a cell one line higher. An empty row would add the height of a cell.
        spread: Math.max(...heights) - Math.min(...heights),
      };
    });
  await expect.poll(async () => (await cells()).below).toBe(true);
  expect((await cells()).spread).toBeLessThan(48);
});

for (const [name, screen] of Object.entries({ phone: {}, desktop, TV: tv }))
  test.describe(name, () => {
    test.use(screen);

    test('the form in a dialog has the same margin on both sides', async ({ page, customer, beSignedIn }) => {
      await buyByCard(customer, '101');
      await beSignedIn(page, customer);
      await visit(page, '/account');
      await page.getByRole('button', { name: 'Turn on' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('button', { name: 'Agree and turn on' })).toBeVisible();
      const margins = await dialog.evaluate((element) => {
        const whole = element.getBoundingClientRect();
        const scrollbar = whole.width - element.clientWidth;
        const form = element.querySelector('form')?.getBoundingClientRect() ?? new DOMRect();
        return [form.left - whole.left, whole.right - scrollbar - form.right];
      });
      expect(margins[0]).toBeGreaterThan(0);
      expect(Math.abs((margins[0] ?? 0) - (margins[1] ?? 0))).toBeLessThan(1);
    });
  });
