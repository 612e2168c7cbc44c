import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('a name keeps its letters and loses what would hide or turn the words around it', () => {
  expect(plainText('  Ana\u0000 \u202ELima\n', 60)).toBe('Ana   Lima');
  expect(plainText('\uD800Ana', 60)).toBe('Ana');
});

test('a name that is too long is never cut through a character', () => {
  expect(plainText(`${'a'.repeat(59)}😀`, 60)).toBe('a'.repeat(59));
  expect(plainText(`${'a'.repeat(58)}😀b`, 60)).toBe(`${'a'.repeat(58)}😀`);
});
