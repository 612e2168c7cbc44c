import { errorEntry, errorNameOf, type ErrorField } from '#contract/error-codes.ts';
import { messageOfCode } from '#web/platform/api/error-message.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { requiredKeys, type RequiredGroup, type PayerKey } from './payer-form.ts';
import type { PayerProblem } from './payer-problems.ts';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The inputs of the fields in the error catalogue. */
const inputOfField: Readonly<Partial<Record<string, PayerKey>>> = {
  cardNumber: 'number',
  cardCode: 'code',
  cardExpiry: 'expiry',
} satisfies Partial<Record<ErrorField, PayerKey>>;

/** The inputs of the parts of a body with a card and its payer, by the names that `invalidRequest` uses. */
const inputOfBody: ReadonlyMap<string, PayerKey> = new Map([
  ['card', 'number'],
  ['card.number', 'number'],
  ['card.expiry', 'expiry'],
  ['card.code', 'code'],
  ['cardCode', 'code'],
  ['cardId', 'number'],
  ['card.holderFirstName', 'firstName'],
  ['card.holderLastName', 'lastName'],
  ['payer.firstName', 'firstName'],
  ['payer.lastName', 'lastName'],
  ['payer.document', 'document'],
  ['payer.birthDate', 'birthDate'],
  ['payer.phone', 'phone'],
  ['payer.address', 'zipCode'],
  ['payer.address.zipCode', 'zipCode'],
  ['payer.address.state', 'state'],
  ['payer.address.city', 'city'],
  ['payer.address.street', 'street'],
  ['payer.address.streetNumber', 'streetNumber'],
]);

interface Refused {
  readonly code?: number | undefined;
  /** the refused part of the request, by the server's name */
  readonly field?: string | undefined;
}

/** The input that an error concerns, whether the form shows it or not; undefined if it concerns none. */
export function refusedInput({ code, field }: Refused, asked: readonly RequiredGroup[]): PayerKey | undefined {
  if (field === undefined) {
    const named = errorEntry(errorNameOf(code))?.field;
    return named && inputOfField[named];
  }
  const key = inputOfBody.get(field) ?? (Object.hasOwn(inputOfField, field) ? inputOfField[field] : undefined);
  // in the request a mobile number is the payer's phone number
  return key === 'phone' && asked.includes('mobile') ? 'mobile' : key;
}

/** The same, limited to the inputs on the screen. */
export function refusedRequiredInput(refused: Refused, asked: readonly RequiredGroup[]): PayerKey | undefined {
  const key = refusedInput(refused, asked);
  return key && requiredKeys(asked).includes(key) ? key : undefined;
}

/** Messages for malformed inputs that are better than the catalogue's. */
const misshapen: Partial<Record<PayerKey, PayerProblem>> = {
  number: 'numberWrong',
  expiry: 'expiryWrong',
  document: 'documentWrong',
  birthDate: 'birthDateWrong',
  phone: 'phoneWrong',
  mobile: 'mobileWrong',
  zipCode: 'zipCodeWrong',
  state: 'stateWrong',
  firstName: 'nameLetters',
  lastName: 'nameLetters',
};

/** The message at a refused input. `shape`: the server refused its format; otherwise a bank refused its value. */
export function refusedInputMessage(key: PayerKey, code: number, shape: boolean): LocalizedMessage {
  const problem = shape ? misshapen[key] : undefined;
  return problem ? localizedMessage(payerMessages[problem]) : (i18n) => messageOfCode(i18n, code);
}

/** The message of each problem: what is missing, or the expected format. */
export const payerMessages = {
  numberEmpty: msg`Enter the card number`,
  numberShort: msg`The card number is incomplete`,
  numberWrong: msg`Check the card number: one digit is wrong`,
  expiryEmpty: msg`Enter the expiry date`,
  expiryWrong: msg`Enter the expiry date as MM/YY`,
  expired: msg`This card has expired`,
  codeEmpty: msg`Enter the security code`,
  codeThree: msg`The security code has 3 digits`,
  codeFour: msg`The security code has 4 digits`,
  firstNameEmpty: msg`Enter the first name`,
  nameLong: msg`This name is too long`,
  nameLetters: msg`Enter the name as it appears on a card or passport`,
  documentEmpty: msg`Enter your CPF or CNPJ`,
  documentWrong: msg`This CPF or CNPJ is not valid`,
  birthDateEmpty: msg`Enter your date of birth`,
  birthDateWrong: msg`This date of birth is not valid`,
  areaCodeWrong: msg`Start with the 2-digit area code`,
  phoneWrong: msg`Enter the phone number with its area code`,
  mobileWrong: msg`Enter the number the payment comes from, without the country code`,
  zipCodeWrong: msg`This ZIP code is not valid`,
  stateEmpty: msg`Choose the state`,
  stateWrong: msg`This state is not valid`,
  cityEmpty: msg`Enter the city`,
  streetEmpty: msg`Enter the street`,
  streetNumberEmpty: msg`Enter the number`,
  placeLong: msg`This is too long`,
} satisfies Record<PayerProblem, MessageDescriptor>;
