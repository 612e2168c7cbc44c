import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from '@playwright/test';
import { chooseMethod, fillPayer, nextButton, visit } from '#tests/fixtures/checkout.ts';
import { scanElement } from '#tests/fixtures/scanner.ts';
import { desktop } from '#tests/fixtures/screens.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The content policy of the page must not block the extension. With one pixel for each module, the scanner could not
// distinguish a code from a blur.
test.use({
  ...desktop,
  bypassCSP: true,
  deviceScaleFactor: 2,
  // Logged by Dark Reader, which cannot read one of the brand marks.
  expectedErrors: /Unable to load image data/,
});

const darkReader = readFileSync(createRequire(import.meta.url).resolve('darkreader'), 'utf8');

/** Scans a code normally and in each dark mode that browsers have. */
async function scanInDarkModes(page: Page, kind: 'qr' | 'slip', code: Locator): Promise<readonly string[]> {
  const reader = await page.context().newPage();
  const session = await page.context().newCDPSession(page);
  const read = () => scanElement(kind, code, reader);
  const found = [await read()];
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  found.push(await read());
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: true });
  found.push(await read());
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: false });
  await page.evaluate(`${darkReader}; DarkReader.enable({ brightness: 100, contrast: 90, sepia: 10 })`);
  await expect(page.locator('html[data-darkreader-scheme="dark"]')).toBeAttached();
  found.push(await read());
  await reader.close();
  return found;
}

test('a Pix code can be scanned in every dark mode of a browser @slow', async ({ page, customer, beSignedIn }) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'pix');
  await fillPayer(page);
  await nextButton(page).click();
  const code = page.getByRole('img', { name: /Pix code/ });
  await expect(code).toBeVisible();
  await page.getByText('Show code as text').click();
  const text = await page.locator('code').innerText();
  expect(await scanInDarkModes(page, 'qr', code)).toEqual([text, text, text, text]);
});

test('the barcode of a slip can be scanned in every dark mode of a browser @slow', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'boleto');
  await fillPayer(page);
  await page.locator('form select[name="state"]').selectOption('SP');
  const address = { zipCode: '01310100', city: 'São Paulo', street: 'Avenida Paulista', streetNumber: '1578' };
  for (const [name, value] of Object.entries(address)) await page.locator(`form input[name="${name}"]`).fill(value);
  await nextButton(page).click();
  const bars = page.getByRole('figure').getByRole('img');
  await expect(bars).toBeVisible();
  const [plain, ...dark] = await scanInDarkModes(page, 'slip', bars);
  expect(plain).toMatch(/^\d{44}$/);
  expect(dark).toEqual([plain, plain, plain]);
});
