import { describe, expect, it } from 'vitest';
import { endOf } from './results.ts';

describe('a result of M-Pesa', () => {
  it.each([
    ['1', 'the balance is insufficient', 302],
    ['2', 'less than the minimum', 2003],
    ['3', 'more than the maximum', 2003],
    ['4', 'would exceed the daily transfer limit', 2003],
    ['8', 'would exceed the maximum balance', 2003],
    ['17', 'rule limited: the same amount within two minutes', -3031],
    ['26', 'traffic blocking condition in place', -3031],
    ['1001', 'unable to lock the subscriber', -3031],
    ['1025', 'an error while sending the push request', 2003],
    ['9999', 'an error while sending the push request', 2003],
    ['1032', 'cancelled by the user', 2007],
    ['2001', 'a wrong PIN', 2003],
    ['2028', 'not permitted by the product assignment', 2003],
    ['8006', 'the security credential is locked', 2003],
    ['SFC_IC0003', 'the operator does not exist', 2003],
  ])('%s ends the payment without money: %s', (code, _published, failureCode) => {
    expect(endOf(code)).toEqual({ state: 'failed', failureCode });
  });

  it.each([
    ['1019', 'the transaction has expired'],
    ['1037', 'the user cannot be reached'],
  ])('%s lets the customer be asked again: %s', (code) => {
    expect(endOf(code)).toEqual({ state: 'expired' });
  });

  it('0 is the only one that has paid', () => {
    expect(endOf('0')).toEqual({ state: 'succeeded' });
  });

  it.each(['1031', '1036', '00', '5', '10', '15', '500', '-1', 'constructor', ''])(
    '%s is not published, so nobody is told that they were not charged',
    (code) => {
      expect(endOf(code)).toEqual({ state: 'unknown' });
    },
  );
});
