import { expect, test } from 'vitest';
import { refusedError } from '#web/platform/api/refused-error.ts';
import type { RequiredGroup } from '#web/domain/payments/payer/payer-form.ts';
import { payStep, type PayState } from './pay-machine.ts';
import { outcomeOfError } from './pay-request.ts';
import { refusalOfPayment, refusalOfPrice } from './place-refusal.ts';

const everything: RequiredGroup[] = ['card', 'document', 'phone', 'address'];

/** The final state of a payment that the server refused. */
const afterRefusal = (code: number, params = {}) => {
  const outcome = outcomeOfError(refusedError('pay', { code, params }));
  return payStep({ phase: 'sending' }, { type: 'outcome', outcome, shown: undefined });
};
const placeOf = (state: PayState, asked = everything) => {
  const place = refusalOfPayment(state, asked)?.place;
  return place?.at === 'input' ? place.key : place?.at;
};
const ofPart = (field: string, asked = everything) => placeOf(afterRefusal(5000, { field }), asked);

test('shows a decline at the wrong input, anything else above the form', () => {
  const places = [314, 1014, 315, 309, 306, 312, 301].map((code) => placeOf(afterRefusal(code)));
  expect(places).toEqual(['number', 'number', 'code', 'expiry', 'notice', 'notice', 'notice']);
});

test('shows an invalid part of the request at its input', () => {
  const state = afterRefusal(5000, { field: 'payer.document' });
  expect(state).toEqual({ phase: 'idle', notice: { kind: 'refused', code: 5000, field: 'payer.document' } });
  const named = ['payer.document', 'payer.phone', 'payer.address', 'payer.address.city', 'card.holderLastName'];
  expect(named.map((field) => ofPart(field))).toEqual(['document', 'phone', 'zipCode', 'city', 'lastName']);
});

test('shows a refused saved card at the list of cards, and a refused code at the code', () => {
  const saved: RequiredGroup[] = ['savedCode'];
  const places = [315, 309, 314, 1014, 302, 312].map((code) => placeOf(afterRefusal(code), saved));
  expect(places).toEqual(['code', 'savedCard', 'savedCard', 'savedCard', 'notice', 'notice']);
  expect([saved, everything].map((asked) => placeOf(afterRefusal(-2511), asked))).toEqual(['savedCard', 'savedCard']);
  expect([ofPart('cardCode', saved), ofPart('cardId', saved)]).toEqual(['code', 'savedCard']);
});

test('shows a number without mobile money at its input', () => {
  expect(ofPart('payer.phone', ['mobile'])).toBe('mobile');
});

test('shows a refused coupon at its field, whether the payment or the price refused it', () => {
  for (const code of [1003, 9000, 9001, 9002, 9003, 9991]) {
    expect(placeOf(afterRefusal(code))).toBe('discountCode');
    const error = refusedError('goodsValuation', { code });
    expect(refusalOfPrice(error)).toMatchObject({ source: error, code, place: { at: 'discountCode' } });
  }
});

test('shows an error that no input can correct above the form', () => {
  expect(ofPart('payer.document', ['card'])).toBe('notice');
  expect(['quoteId', 'returnUrl', 'constructor', '__proto__'].map((field) => ofPart(field))).toEqual(
    Array.from({ length: 4 }, () => 'notice'),
  );
  expect(placeOf({ phase: 'idle', notice: { kind: 'notSent' } })).toBe('notice');
  expect(refusalOfPrice(new Error('no network'))).toMatchObject({ place: { at: 'notice' } });
});

test('shows nothing without a refusal', () => {
  expect(placeOf({ phase: 'idle' })).toBeUndefined();
  expect(placeOf({ phase: 'checking' })).toBeUndefined();
  expect(refusalOfPrice(null)).toBeUndefined();
});

test('leads an unavailable plan to the plans, and an unknown one to 404', () => {
  const pageOf = (code: number) => refusalOfPayment(afterRefusal(code), everything)?.place;
  expect(pageOf(6000)).toEqual({ at: 'page', path: '/pricing-table?type=cannotBuyPlan&errCode=6000' });
  expect(pageOf(6001)).toEqual({ at: 'page', path: '/404' });
  expect(refusalOfPrice(refusedError('goodsValuation', { code: 6001 }))?.place).toEqual(pageOf(6001));
  // the API client handles the redirect to a new password and the TV device's notice
  expect([2008, -2602, 302, 2500, 201].map((code) => pageOf(code)?.at)).toEqual(
    Array.from({ length: 5 }, () => 'notice'),
  );
});
