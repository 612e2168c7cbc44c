import { expect, test } from 'vitest';
import { receiverOf } from './qr-step.tsx';

test("reads the receiver from a Pix code, as the bank's app does", () => {
  expect(receiverOf('000201260400015204000053039865802BR5905LUMEN6009SAO PAULO6304ABCD')).toBe('LUMEN');
});

test('reads no receiver from other text', () => {
  for (const text of ['', 'pix', '0002', '5999LUMEN', '59 5LUMEN', '5900']) expect(receiverOf(text)).toBeUndefined();
});
