import { expect, test } from 'vitest';
import { webAddress } from './continue-at-provider.tsx';

test('only pages of the web are opened, whatever an answer says', () => {
  expect(webAddress('https://bank.example/3ds?id=1')).toBe('https://bank.example/3ds?id=1');
  expect(webAddress('http://localhost:3000/sandbox/bank/x')).toBe('http://localhost:3000/sandbox/bank/x');
  expect(webAddress('javascript:alert(1)')).toBeUndefined();
  expect(webAddress('data:text/html,hi')).toBeUndefined();
  expect(webAddress('/relative')).toBeUndefined();
});
