import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { problemOfError, problemOfRefusal, refusedCoupon } from './coupon-problem.ts';
import { atRest, payStep } from '../act/pay-machine.ts';
import { outcomeOfFailure } from '../act/pay-outcome.ts';

const orderId = 'LUMEN0000000000000001';
const refusal = (code: number, params = {}) => new ApiError('refused', 'goodsValuation', { code, params });

test('a coupon that another order of the customer holds can be taken over, and no other one can', () => {
  expect(problemOfError(refusal(9000, { orderId }))).toMatchObject({ orderId, mayTakeOver: true });
  expect(problemOfError(refusal(9000))).not.toHaveProperty('mayTakeOver');
  expect(problemOfError(refusal(9003, { orderId }))).not.toHaveProperty('mayTakeOver');
});

test('an order that is being paid keeps its coupon: it can be viewed, and not cancelled', () => {
  const problem = problemOfRefusal({ code: 1003, orderId });
  expect(problem).toMatchObject({ orderId });
  expect(problem).not.toHaveProperty('mayTakeOver');
});

test('a lost connection is told in its own words', () => {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
  const { words } = problemOfError(new ApiError('network', 'goodsValuation', { lost: 'unreachable' }));
  expect(words(i18n)).toBe('We cannot reach the shop. Check your connection.');
});

test('the order that holds the coupon is told also when the payment itself is refused for it', () => {
  const outcome = outcomeOfFailure({ kind: 'refused', code: 9000, params: { orderId } });
  const state = payStep({ phase: 'sending' }, { type: 'outcome', outcome, shown: undefined });
  expect(refusedCoupon(null, state)).toEqual({ kind: 'coupon', code: 9000, orderId });
  const valued = payStep({ phase: 'revaluing' }, { type: 'valueFailed', code: 9000, orderId });
  expect(refusedCoupon(null, valued)).toEqual({ kind: 'coupon', code: 9000, orderId });
  expect(refusedCoupon(null, atRest)).toBeUndefined();
  expect(refusedCoupon(refusal(-2408), atRest)).toBeUndefined();
});
