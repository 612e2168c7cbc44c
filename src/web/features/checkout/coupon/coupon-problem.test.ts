import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { refusedError } from '#web/platform/api/refused-error.ts';
import { problemOfError, problemOfRefusal } from './use-coupon.ts';
import { idleState, payStep } from '../act/pay-machine.ts';
import { outcomeOfError } from '../act/pay-request.ts';
import { refusalOfPayment, refusalOfPrice } from '../act/place-refusal.ts';

const orderId = 'LUMEN0000000000000001';
const refusal = (code: number, params = {}) => refusedError('goodsValuation', { code, params });

test('can move only a coupon that another order of the customer has', () => {
  expect(problemOfError(refusal(9000, { orderId }))).toMatchObject({ orderId, mayTakeOver: true });
  expect(problemOfError(refusal(9000))).not.toHaveProperty('mayTakeOver');
  expect(problemOfError(refusal(9003, { orderId }))).not.toHaveProperty('mayTakeOver');
});

test('offers to view, and not to cancel, an order with the coupon that is being paid', () => {
  const problem = problemOfRefusal({ code: 1003, orderId });
  expect(problem).toMatchObject({ orderId });
  expect(problem).not.toHaveProperty('mayTakeOver');
});

test('shows that a coupon is for a first purchase only, whatever refuses it', () => {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
  const error = refusal(9991, { onlyFor: 'firstPurchase' });
  const paid = payStep(payStep(idleState, { type: 'resume' }), {
    type: 'outcome',
    outcome: outcomeOfError(error),
    shown: undefined,
  });
  const refusals = [refusalOfPrice(error), refusalOfPayment(paid, [])];
  const problems = [problemOfError(error), ...refusals.map((found) => problemOfRefusal(found ?? {}))];
  for (const { words } of problems) expect(words(i18n)).toBe('This coupon is for first purchases only');
});

test.each([
  [9002, { plans: ['Monthly', 'Yearly'] }, 'This coupon is only for: Monthly, Yearly'],
  [9002, { currency: 'USD' }, 'This coupon is for payments in USD only'],
  [9000, { from: Date.UTC(2026, 11, 1, 12) }, 'You can use this coupon from December 1, 2026'],
  [9000, { before: Date.UTC(2026, 11, 1, 12) }, 'This coupon expired on December 1, 2026'],
])('shows what a coupon refused with %i is valid for: %j', (code, onlyFor, words) => {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
  const error = refusal(code, { onlyFor });
  const problems = [problemOfError(error), problemOfRefusal(refusalOfPrice(error) ?? {})];
  expect(problems.map((problem) => problem.words(i18n))).toEqual([words, words]);
});

test('shows a connection loss with its own message', () => {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
  const { words } = problemOfError(new ApiError('network', 'goodsValuation', { lost: 'unreachable' }));
  expect(words(i18n)).toBe('We can’t reach the shop. Check your connection.');
});

test('names the order that has the coupon, also if the payment is refused for it', () => {
  const outcome = outcomeOfError(refusal(9000, { orderId }));
  const state = payStep({ phase: 'sending' }, { type: 'outcome', outcome, shown: undefined });
  const held = { code: 9000, orderId, place: { at: 'discountCode' } };
  expect(refusalOfPayment(state, [])).toMatchObject(held);
  const valued = payStep({ phase: 'revaluing' }, { type: 'valueFailed', code: 9000, orderId });
  expect(refusalOfPayment(valued, [])).toMatchObject(held);
  expect(refusalOfPrice(refusal(9000, { orderId }))).toMatchObject(held);
  expect(refusalOfPayment(idleState, [])).toBeUndefined();
  expect(refusalOfPrice(refusal(-2408))).toMatchObject({ place: { at: 'notice' } });
});
