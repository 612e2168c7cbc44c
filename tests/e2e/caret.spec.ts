/// <reference lib="dom" />
import type { Locator } from '@playwright/test';
import { chooseMethod, visit } from '#tests/fixtures/checkout.ts';
import { expect, test } from '#tests/fixtures/test.ts';

const caretOf = (input: Locator) => input.evaluate((element: HTMLInputElement) => element.selectionStart);
const setCaret = (input: Locator, caret: number) =>
  input.evaluate((element: HTMLInputElement, place) => element.setSelectionRange(place, place), caret);

test('a customer corrects a digit inside a card number, with keys and with the keyboard of a phone', async ({
  page,
  customer,
  beSignedIn,
}) => {
  await beSignedIn(page, customer);
  await visit(page, '/payment?planId=101');
  await chooseMethod(page, 'card');
  const number = page.locator('form input[name="number"]');
  await number.fill('4242427442424242');
  await expect(number).toHaveValue('4242 4274 4242 4242');
  await number.focus();
  await setCaret(number, 8);
  await page.keyboard.press('Backspace');
  expect(await caretOf(number)).toBe(7);
  await page.keyboard.press('4');
  await expect(number).toHaveValue('4242 4244 4242 4242');

  // While an input method composes, the field must not change.
  const session = await page.context().newCDPSession(page);
  const document = page.locator('form input[name="document"]');
  await document.fill('52998224725');
  await expect(document).toHaveValue('529.982.247-25');
  await document.focus();
  await setCaret(document, 6);
  await page.keyboard.press('Backspace');
  await session.send('Input.imeSetComposition', { text: '8', selectionStart: 1, selectionEnd: 1 });
  expect(await caretOf(document)).not.toBe(14);
  await session.send('Input.insertText', { text: '8' });
  await expect(document).toHaveValue('529.982.247-25');
  expect(await caretOf(document)).toBe(6);
});
