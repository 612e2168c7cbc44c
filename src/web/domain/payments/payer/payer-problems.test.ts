import { expect, test } from 'vitest';
import { emptyPayerForm, requiredGroups, requiredKeys, toCard, toPayer, type PayerForm } from './payer-form.ts';
import { payerProblems } from './payer-problems.ts';

const context = { now: Date.UTC(2026, 10, 20), currency: 'BRL' };
const good: PayerForm = {
  ...emptyPayerForm,
  number: '4242 4242 4242 4242',
  expiry: '11/26',
  code: '123',
  firstName: 'Ana',
  lastName: 'Souza',
  document: '529.982.247-25',
};
const problems = (some: Partial<PayerForm>) => payerProblems({ ...good, ...some }, ['card', 'document'], context);

test('accepts a valid card', () => {
  expect(problems({})).toEqual({});
});

test('shows what is missing in each field of an empty form, in screen order', () => {
  const found = payerProblems(emptyPayerForm, ['document', 'card'], context);
  expect(Object.entries(found)).toEqual([
    ['number', 'numberEmpty'],
    ['expiry', 'expiryEmpty'],
    ['code', 'codeEmpty'],
    ['firstName', 'firstNameEmpty'],
    ['document', 'documentEmpty'],
  ]);
});

test('distinguishes a mistyped number from an incomplete one', () => {
  expect(problems({ number: '4242 4242 42' })).toEqual({ number: 'numberShort' });
  expect(problems({ number: '4111 1111 1111 1112' })).toEqual({ number: 'numberWrong' });
});

test('accepts a card until the end of its month', () => {
  expect(problems({ expiry: '10/26' })).toEqual({ expiry: 'expired' });
  expect(problems({ expiry: '13/27' })).toEqual({ expiry: 'expiryWrong' });
});

test('requires a code of four digits for American Express and three for the others', () => {
  expect(problems({ number: '3782 822463 10005', code: '123' })).toEqual({ code: 'codeFour' });
  expect(problems({ number: '3782 822463 10005', code: '1234' })).toEqual({});
  expect(problems({ code: '12' })).toEqual({ code: 'codeThree' });
});

test('accepts names in any alphabet, of one letter or without a last name, but not too long or with symbols', () => {
  expect(problems({ firstName: 'Жанна', lastName: "D'Ávila" })).toEqual({});
  expect(problems({ firstName: 'A', lastName: '王' })).toEqual({});
  expect(problems({ firstName: 'Suharto', lastName: ' ' })).toEqual({});
  expect(problems({ firstName: '3M LTDA', lastName: '’t Hooft' })).toEqual({});
  expect(problems({ lastName: 'x'.repeat(61) })).toEqual({ lastName: 'nameLong' });
  expect(problems({ firstName: 'ana@example.com', lastName: 'Souza <3' })).toEqual({
    firstName: 'nameLetters',
    lastName: 'nameLetters',
  });
});

test('verifies the check digits of CPF and both kinds of CNPJ', () => {
  expect(problems({ document: '12.ABC.345/01DE-35' })).toEqual({});
  expect(problems({ document: '529.982.247-24' })).toEqual({ document: 'documentWrong' });
});

test('requires a known state in Brazil, and letters elsewhere', () => {
  const at = (state: string, currency: string) =>
    payerProblems({ ...emptyPayerForm, state }, ['address'], { ...context, currency }).state;
  expect(['SP', 'XX', '', '99'].map((state) => at(state, 'BRL'))).toEqual([
    undefined,
    'stateWrong',
    'stateEmpty',
    'stateWrong',
  ]);
  expect(['', ' '].map((state) => at(state, 'KES'))).toEqual([undefined, undefined]);
  expect(['Nairobi County', '99', '<b>'].map((state) => at(state, 'USD'))).toEqual([
    undefined,
    'stateWrong',
    'stateWrong',
  ]);
});

test('does not request stored payer data again', () => {
  const asked = requiredGroups(['card', 'name', 'document', 'phone'], { savedGroups: ['name', 'document', 'phone'] });
  expect(requiredKeys(asked)).toEqual(['number', 'expiry', 'code', 'firstName', 'lastName']);
});

test('requests address, phone and birth date only if the method requires them', () => {
  const found = payerProblems(
    { ...emptyPayerForm, phone: '1', birthDate: '2030-01-01' },
    ['phone', 'birthDate'],
    context,
  );
  expect(found).toEqual({ birthDate: 'birthDateWrong', phone: 'phoneWrong' });
  expect(requiredKeys(['document'])).toEqual(['document']);
});

test('sends only what the method requires', () => {
  expect(toCard(good, ['document'])).toBeUndefined();
  expect(toPayer(good, ['document'])).toEqual({ document: '52998224725' });
  expect(toCard(good, ['card'])).toEqual({
    number: '4242424242424242',
    expiry: '11/26',
    code: '123',
    holderFirstName: 'Ana',
    holderLastName: 'Souza',
  });
});

test('requests and sends only the code of a saved card, in its length', () => {
  const saved = {
    cardId: 'card-1',
    methodCode: 'card',
    brand: 'amex',
    last4: '0005',
    expiryMonth: 12,
    expiryYear: 2039,
    expired: false,
    usable: true,
    codeDigits: 4,
  };
  const asked = requiredGroups(['card', 'document', 'phone'], { saved });
  const codeOf = (code: string) => payerProblems({ ...good, code }, asked, { ...context, codeDigits: 4 });
  expect(requiredKeys(asked)).toEqual(['code']);
  expect([codeOf(''), codeOf('123'), codeOf('1234')]).toEqual([{ code: 'codeEmpty' }, { code: 'codeFour' }, {}]);
  expect([toCard(good, asked, true), toPayer(good, asked)]).toEqual([undefined, {}]);
});

test('saves a new card only if the customer chooses that', () => {
  expect(toCard(good, ['card'], true)).toMatchObject({ save: true });
  expect(toCard(good, ['card'])).not.toHaveProperty('save');
});
