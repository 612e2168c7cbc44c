import { expect, test } from 'vitest';
import { isOfEarlierAttempt, recordAttemptStart } from './use-payment-state.ts';

test('hides the previous state of an order that is repaid, until it is read again', () => {
  const before = Date.now() - 1;
  expect(isOfEarlierAttempt('ONCEMORE', before)).toBe(false);
  recordAttemptStart('ONCEMORE');
  expect(isOfEarlierAttempt('ONCEMORE', before)).toBe(true);
  expect(isOfEarlierAttempt('ONCEMORE', Date.now())).toBe(false);
  expect(isOfEarlierAttempt('ANOTHER', before)).toBe(false);
  expect(isOfEarlierAttempt(undefined, before)).toBe(false);
});
