import { expect, test } from 'vitest';
import { displayText } from './openid-client.ts';

test('a name keeps its letters without characters that hide or reverse the text around it', () => {
  expect(displayText('  Ana\u0000 \u202ELima\n', 60)).toBe('Ana   Lima');
  expect(displayText('\uD800Ana', 60)).toBe('Ana');
});

test('a name that is too long is cut between characters', () => {
  expect(displayText(`${'a'.repeat(59)}😀`, 60)).toBe('a'.repeat(59));
  expect(displayText(`${'a'.repeat(58)}😀b`, 60)).toBe(`${'a'.repeat(58)}😀`);
});
