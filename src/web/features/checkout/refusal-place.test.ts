import { expect, test } from 'vitest';
import type { PayerField } from '../../../contract/billing.ts';
import { payStep, type PayNotice } from './pay-machine.ts';
import { outcomeOfFailure } from './pay-outcome.ts';
import { placeOfRefusal } from './refusal-place.ts';

const everything: PayerField[] = ['card', 'document', 'phone', 'address'];
const declined = (code: number): PayNotice => ({ kind: 'declined', code, orderId: undefined });

/** The notice after a payment that the server refused with 5000 for this part of it. */
const misshapen = (field: string): PayNotice | undefined => {
  const outcome = outcomeOfFailure({ kind: 'refused', code: 5000, params: { field } });
  const state = payStep({ phase: 'sending' }, { type: 'outcome', outcome, shown: undefined });
  return state.phase === 'idle' ? state.notice : undefined;
};
const placeOf = (field: string, fields = everything) => {
  const notice = misshapen(field);
  return notice && placeOfRefusal(notice, fields);
};

test('a declined card is told at the input that is wrong, anything else above the form', () => {
  const places = [314, 1014, 315, 309, 306, 312, 301].map((code) => placeOfRefusal(declined(code), everything));
  expect(places).toEqual(['number', 'number', 'code', 'expiry', undefined, undefined, undefined]);
});

test('a part of the request that does not fit is told at its input', () => {
  expect(misshapen('payer.document')).toEqual({ kind: 'refused', code: 5000, field: 'payer.document' });
  const named = ['payer.document', 'payer.phone', 'payer.address', 'payer.address.city', 'card.holderLastName'];
  expect(named.map((field) => placeOf(field))).toEqual(['document', 'phone', 'zipCode', 'city', 'lastName']);
});

test('what no input on the screen can mend is told above the form', () => {
  expect(placeOf('payer.document', ['card'])).toBeUndefined();
  expect(['quoteId', 'returnUrl', 'constructor', '__proto__'].map((field) => placeOf(field))).toEqual(
    Array.from({ length: 4 }),
  );
  expect(placeOfRefusal({ kind: 'notSent' }, everything)).toBeUndefined();
});
