import { expect, it } from 'vitest';
import { maskAccount } from './mask.ts';

it.each([
  ['maria@gmail.com', 'm***@gmail.com'],
  ['m@gmail.com', 'm***@gmail.com'],
  ['5511912345678', '55•••••••••78'],
  ['123456', '12••56'],
  ['12345', '•••••'],
  ['', ''],
])('%s is shown as %s', (account, shown) => {
  expect(maskAccount(account)).toBe(shown);
});
