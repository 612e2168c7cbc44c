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

test('a card that is filled in rightly has nothing to mend', () => {
  expect(problems({})).toEqual({});
});

test('an empty form says what is missing in each field, in the order of the screen', () => {
  const found = payerProblems(emptyPayerForm, ['document', 'card'], context);
  expect(Object.entries(found)).toEqual([
    ['number', 'numberEmpty'],
    ['expiry', 'expiryEmpty'],
    ['code', 'codeEmpty'],
    ['firstName', 'firstNameEmpty'],
    ['document', 'documentEmpty'],
  ]);
});

test('a mistyped number is told from one that is not finished', () => {
  expect(problems({ number: '4242 4242 42' })).toEqual({ number: 'numberShort' });
  expect(problems({ number: '4111 1111 1111 1112' })).toEqual({ number: 'numberWrong' });
});

test('a card works to the end of its month and is then called expired', () => {
  expect(problems({ expiry: '10/26' })).toEqual({ expiry: 'expired' });
  expect(problems({ expiry: '13/27' })).toEqual({ expiry: 'expiryWrong' });
});

test('the code has four digits for American Express and three for the others', () => {
  expect(problems({ number: '3782 822463 10005', code: '123' })).toEqual({ code: 'codeFour' });
  expect(problems({ number: '3782 822463 10005', code: '1234' })).toEqual({});
  expect(problems({ code: '12' })).toEqual({ code: 'codeThree' });
});

test('names may be in any alphabet, of one letter and without a last name, but not too long or with signs', () => {
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

test('CPF and both kinds of CNPJ are checked by their digits', () => {
  expect(problems({ document: '12.ABC.345/01DE-35' })).toEqual({});
  expect(problems({ document: '529.982.247-24' })).toEqual({ document: 'documentWrong' });
});

test('a state of Brazil is one of its states, and one elsewhere has letters', () => {
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

test('what the shop keeps of the payer is not asked for again', () => {
  const asked = requiredGroups(['card', 'name', 'document', 'phone'], { kept: ['name', 'document', 'phone'] });
  expect(requiredKeys(asked)).toEqual(['number', 'expiry', 'code', 'firstName', 'lastName']);
});

test('address, phone and birth date are asked only where the method asks for them', () => {
  const found = payerProblems(
    { ...emptyPayerForm, phone: '1', birthDate: '2030-01-01' },
    ['phone', 'birthDate'],
    context,
  );
  expect(found).toEqual({ birthDate: 'birthDateWrong', phone: 'phoneWrong' });
  expect(requiredKeys(['document'])).toEqual(['document']);
});

test('only what the method asks for leaves the phone', () => {
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

test('of a saved card only its code is asked, in the length that it has, and nothing else leaves the phone', () => {
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

test('a new card is kept when its owner wishes it, and not otherwise', () => {
  expect(toCard(good, ['card'], true)).toMatchObject({ save: true });
  expect(toCard(good, ['card'])).not.toHaveProperty('save');
});
