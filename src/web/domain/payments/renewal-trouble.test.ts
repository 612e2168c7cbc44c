import { expect, test } from 'vitest';
import type { RenewalInfo } from '#contract/renewal.ts';
import { renewalTrouble } from './renewal-trouble.tsx';

const renewal = (status: 'PAYMENT_PENDING' | 'PAYMENT_FAILED', account?: string) =>
  // as: only these fields are read
  ({ history: [{ orderId: 'O1', status }], card: { brand: 'paypal', last4: '', account } }) as unknown as RenewalInfo;

test('a past due renewal waits for the customer, or its card or account was declined', () => {
  expect(renewalTrouble(renewal('PAYMENT_PENDING'))).toEqual({ toConfirm: 'O1', byAccount: false });
  expect(renewalTrouble(renewal('PAYMENT_FAILED'))).toEqual({ toConfirm: undefined, byAccount: false });
  expect(renewalTrouble(renewal('PAYMENT_FAILED', 'a***@example.com')).byAccount).toBe(true);
});
