import { expect, test } from 'vitest';
import { payStep, type PayNotice } from './pay-machine.ts';
import { outcomeOfFailure } from './pay-outcome.ts';
import type { AskedGroup } from '../payer/payer-form.ts';
import { placeOfRefusal } from './refusal-place.ts';

const everything: AskedGroup[] = ['card', 'document', 'phone', 'address'];
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

test('a saved card is refused at the list of cards, and its code at the code', () => {
  const saved: AskedGroup[] = ['savedCode'];
  const places = [315, 309, 314, 1014, 302, 312].map((code) => placeOfRefusal(declined(code), saved));
  expect(places).toEqual(['code', 'savedCard', 'savedCard', 'savedCard', undefined, undefined]);
  const gone: PayNotice = { kind: 'refused', code: -2511 };
  expect([saved, everything].map((asked) => placeOfRefusal(gone, asked))).toEqual(['savedCard', 'savedCard']);
  expect([placeOf('cardCode', saved), placeOf('cardId', saved)]).toEqual(['code', 'savedCard']);
});

test('a number that mobile money cannot be taken from is told at its input', () => {
  expect(placeOf('payer.phone', ['mobile'])).toBe('mobile');
});

test('what no input on the screen can mend is told above the form', () => {
  expect(placeOf('payer.document', ['card'])).toBeUndefined();
  expect(['quoteId', 'returnUrl', 'constructor', '__proto__'].map((field) => placeOf(field))).toEqual(
    Array.from({ length: 4 }),
  );
  expect(placeOfRefusal({ kind: 'notSent' }, everything)).toBeUndefined();
});
