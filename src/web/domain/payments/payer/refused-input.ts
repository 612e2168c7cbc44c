import { errorEntry, errorNameOf, type ErrorField } from '#contract/error-codes.ts';
import { errorWords } from '#web/platform/api/error-words.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { requiredKeys, type RequiredGroup, type PayerKey } from './payer-form.ts';
import type { PayerProblem } from './payer-problems.ts';
import { payerWords } from './payer-words.ts';

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
export function refusedWords(key: PayerKey, code: number, shape: boolean): Words {
  const problem = shape ? misshapen[key] : undefined;
  return problem ? say(payerWords[problem]) : (i18n) => errorWords(i18n, code);
}
