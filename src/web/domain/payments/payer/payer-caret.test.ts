import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyTypedText } from './payer-typing.ts';
import { emptyPayerForm, type PayerKey } from './payer-form.ts';
import { caretAfter } from '#web/ui/use-typed-value.ts';

interface Input {
  readonly value: string;
  readonly caret: number;
}

type Format = (text: string, before: string) => string;

const field =
  (key: PayerKey): Format =>
  (text, before) =>
    applyTypedText(key, text, { ...emptyPayerForm, [key]: before }, { phoneCode: '55', mobileCode: '254' })[key] ?? '';

/** Simulates a key press: the browser's edit, then the storefront's formatting. */
function press({ value, caret }: Input, key: string, format: Format): Input {
  const edits: Record<string, readonly [string, number, string]> = {
    Backspace: [
      value.slice(0, Math.max(0, caret - 1)) + value.slice(caret),
      Math.max(0, caret - 1),
      'deleteContentBackward',
    ],
    Delete: [value.slice(0, caret) + value.slice(caret + 1), caret, 'deleteContentForward'],
  };
  const [text, place, inputType] = edits[key] ?? [
    value.slice(0, caret) + key + value.slice(caret),
    caret + 1,
    'insertText',
  ];
  const shown = format(text, value);
  return { value: shown, caret: shown === text ? place : caretAfter({ text, caret: place, inputType }, shown) };
}

const significant = (text: string) => text.replaceAll(/[^\dA-Z]/g, '');
const pressAll = (input: Input, keys: readonly string[], format: Format) =>
  keys.reduce((now, key) => press(now, key, format), input);

const digits = (length: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`));
const kinds: readonly (readonly [string, Format, fc.Arbitrary<string>])[] = [
  ['card number', field('number'), digits(15).map((rest) => `4${rest}`)],
  ['card number of American Express', field('number'), digits(13).map((rest) => `37${rest}`)],
  ['CPF', field('document'), digits(11)],
  ['CNPJ', field('document'), fc.stringMatching(/^\d{2}[A-Z]{3}[\dA-Z]{7}\d{2}$/)],
  ['phone', field('phone'), fc.stringMatching(/^[1-9]{2}9\d{8}$/)],
  ['expiry date', field('expiry'), fc.stringMatching(/^(0[1-9]|1[0-2])(2[1-9]|[3-9]\d)$/)],
  ['postal code', field('zipCode'), digits(8).map((text) => `${text.slice(0, 5)}-${text.slice(5)}`)],
  ['security code', field('code'), digits(3)],
];

describe.each(kinds)('the caret in a %s', (_, format, numbers) => {
  /** A full field, and a position after one of its digits. */
  const filled = fc.tuple(numbers, fc.nat(40)).map(([text, place]) => {
    const value = format(text, '');
    const places = value.split('').flatMap((character, index) => (/[\dA-Z]/.test(character) ? [index + 1] : []));
    return { value, caret: places[place % places.length] ?? value.length };
  });

  it('stays when a digit is erased and typed again, which restores the field', () => {
    fc.assert(
      fc.property(filled, (input) => {
        const erased = press(input, 'Backspace', format);
        expect(significant(erased.value.slice(0, erased.caret))).toBe(
          significant(input.value.slice(0, input.caret - 1)),
        );
        const again = press(erased, input.value[input.caret - 1] ?? '', format);
        expect(again.value).toBe(input.value);
        expect(significant(again.value.slice(0, again.caret))).toBe(significant(input.value.slice(0, input.caret)));
      }),
    );
  });

  it('moves with each Backspace and each Delete, past separators too', () => {
    fc.assert(
      fc.property(filled, (input) => {
        const keys = (key: string) => input.value.split('').map(() => key);
        const left = pressAll(input, keys('Backspace'), format);
        expect(left.caret).toBe(0);
        const right = pressAll(input, keys('Delete'), format);
        expect(significant(right.value.slice(right.caret))).toBe('');
      }),
    );
  });
});

it('corrects a card number to the intended one', () => {
  const format = field('number');
  const wrong = { value: '4242 4272 4242 4242', caret: 8 };
  expect(pressAll(wrong, ['Backspace', '4'], format)).toEqual({ value: '4242 4242 4242 4242', caret: 8 });
});

it.each([
  ['card number of American Express', field('number'), '3782 822463 10005', 6],
  ['CNPJ', field('document'), '11.222.333/0001-81', 8],
  ['security code', field('code'), '123', 1],
  ['expiry date', field('expiry'), '12/39', 1],
] as const)('ignores an extra digit in a %s, wherever it is typed', (_, format, value, caret) => {
  expect(press({ value, caret }, '7', format)).toEqual({ value, caret });
});
