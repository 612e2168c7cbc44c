import { expect, test } from 'vitest';
import { receiverOf } from './qr-step.tsx';

test('a Pix code says who receives the money, as the app of the bank will', () => {
  expect(receiverOf('000201260400015204000053039865802BR5905LUMEN6009SAO PAULO6304ABCD')).toBe('LUMEN');
});

test('what is no such code names nobody', () => {
  for (const text of ['', 'pix', '0002', '5999LUMEN', '59 5LUMEN', '5900']) expect(receiverOf(text)).toBeUndefined();
});
