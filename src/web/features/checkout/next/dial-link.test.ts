import { expect, test } from 'vitest';
import { dialLink } from './dial-link.ts';

test('a service code reaches the dialler whole', () => {
  expect(dialLink('#144*391#')).toBe('tel:%23144*391%23');
  expect(dialLink('*144#')).toBe('tel:*144%23');
  expect(dialLink('+254700000000')).toBe('tel:+254700000000');
});

test('nothing else is dialled, whatever a provider says', () => {
  for (const text of ['', '1', 'javascript:alert(1)', '12 34', '#144#;ext=1', '#'.repeat(25)]) {
    expect(dialLink(text)).toBeUndefined();
  }
});
