import { describe, expect, it } from 'vitest';
import { answerOfResult } from './callbacks.ts';

describe('a result of M-Pesa', () => {
  it.each([
    ['1', 'the balance is insufficient', 'insufficientFunds'],
    ['2', 'less than the minimum', 'paymentFailed'],
    ['3', 'more than the maximum', 'paymentFailed'],
    ['4', 'would exceed the daily transfer limit', 'paymentFailed'],
    ['8', 'would exceed the maximum balance', 'paymentFailed'],
    ['17', 'rule limited: the same amount within two minutes', 'tooFrequent'],
    ['26', 'traffic blocking condition in place', 'tooFrequent'],
    ['1001', 'unable to lock the subscriber', 'tooFrequent'],
    ['1025', 'an error while sending the push request', 'paymentFailed'],
    ['9999', 'an error while sending the push request', 'paymentFailed'],
    ['1032', 'cancelled by the user', 'paymentCancelled'],
    ['2001', 'a wrong PIN', 'paymentFailed'],
    ['2028', 'not permitted by the product assignment', 'paymentFailed'],
    ['8006', 'the security credential is locked', 'paymentFailed'],
    ['SFC_IC0003', 'the operator does not exist', 'paymentFailed'],
  ])('%s ends the payment without money: %s', (code, _published, failure) => {
    expect(answerOfResult(code)).toEqual({ state: 'failed', failure });
  });

  it.each([
    ['1019', 'the transaction has expired'],
    ['1037', 'the user cannot be reached'],
  ])('%s lets the customer retry: %s', (code) => {
    expect(answerOfResult(code)).toEqual({ state: 'expired' });
  });

  it('0 is the only successful one', () => {
    expect(answerOfResult('0')).toEqual({ state: 'succeeded' });
  });

  it.each(['1031', '1036', '00', '5', '10', '15', '500', '-1', 'constructor', ''])(
    '%s is not published, so the payment stays unknown',
    (code) => {
      expect(answerOfResult(code)).toEqual({ state: 'unknown' });
    },
  );
});
