import { isCardExpired, isCardNumber, parseCardExpiry } from '#contract/card.ts';
import { areaCodeDigits } from '#contract/limits.ts';
import { isPersonName, normalizeName } from '#contract/person-name.ts';
import { brazilianState, isStateName } from '#contract/places.ts';
import { addressRules, isPostalCode } from '#contract/postal-rules.ts';
import { taxIdKind } from '#contract/tax-id.ts';
import { cardBrand, cardCodeLength, cardLengths, plainDigits } from './card-brand.ts';
import { requiredKeys, type RequiredGroup, type PayerForm, type PayerKey } from './payer-form.ts';
import { longestNumber } from './payer-typing.ts';

export type PayerProblem =
  | 'numberEmpty'
  | 'numberShort'
  | 'numberWrong'
  | 'expiryEmpty'
  | 'expiryWrong'
  | 'expired'
  | 'codeEmpty'
  | 'codeThree'
  | 'codeFour'
  | 'firstNameEmpty'
  | 'nameLong'
  | 'nameLetters'
  | 'documentEmpty'
  | 'documentWrong'
  | 'birthDateEmpty'
  | 'birthDateWrong'
  | 'areaCodeWrong'
  | 'phoneWrong'
  | 'mobileWrong'
  | 'zipCodeWrong'
  | 'stateEmpty'
  | 'stateWrong'
  | 'cityEmpty'
  | 'streetEmpty'
  | 'streetNumberEmpty'
  | 'placeLong';

interface PayerContext {
  /** epoch milliseconds, by the server's clock */
  readonly now: number;
  readonly currency: string;
  /** length of the security code of a saved card; that of a new card follows from its number */
  readonly codeDigits?: number | undefined;
}

type Check = (form: PayerForm, context: PayerContext) => PayerProblem | undefined;

const checks = {
  number: ({ number }) => {
    const digits = plainDigits(number);
    if (!digits) return 'numberEmpty';
    const lengths = cardLengths(cardBrand(digits));
    if (digits.length < Math.min(...lengths)) return 'numberShort';
    return isCardNumber(digits) ? undefined : 'numberWrong';
  },
  expiry: ({ expiry }, { now }) => {
    if (!expiry) return 'expiryEmpty';
    const parsed = parseCardExpiry(expiry);
    if (!parsed) return 'expiryWrong';
    return isCardExpired(parsed, now) ? 'expired' : undefined;
  },
  code: ({ code, number }, { codeDigits }) => {
    if (!code) return 'codeEmpty';
    const length = codeDigits ?? cardCodeLength(cardBrand(plainDigits(number)));
    if (plainDigits(code).length === length) return undefined;
    return length === 4 ? 'codeFour' : 'codeThree';
  },
  firstName: ({ firstName }) => (normalizeName(firstName) ? nameProblem(firstName, 40) : 'firstNameEmpty'),
  // optional, because some customers have one name
  lastName: ({ lastName }) => (normalizeName(lastName) ? nameProblem(lastName, 60) : undefined),
  document: ({ document }) => {
    if (!document) return 'documentEmpty';
    return taxIdKind(document) ? undefined : 'documentWrong';
  },
  birthDate: ({ birthDate }, { now }) => {
    if (!birthDate) return 'birthDateEmpty';
    return isBirthDate(birthDate, now) ? undefined : 'birthDateWrong';
  },
  phone: ({ phone }, { currency }) => {
    const { length } = plainDigits(phone);
    if (length < 8 || length > longestNumber) return 'phoneWrong';
    // a Brazilian number has eight or nine digits after its area code
    const isLocal = currency === 'BRL' && !phone.startsWith('+');
    return isLocal && length < 8 + areaCodeDigits ? 'areaCodeWrong' : undefined;
  },
  mobile: ({ mobile }) => (/^0*[1-9]\d{5,14}$/.test(mobile) ? undefined : 'mobileWrong'),
  zipCode: ({ zipCode }, { currency }) => (isPostalCode(zipCode, currency) ? undefined : 'zipCodeWrong'),
  state: ({ state }, { currency }) => {
    if (state.trim() === '' && !addressRules(currency).state) return undefined;
    const right = currency === 'BRL' ? brazilianState(state) !== undefined : isStateName(state);
    return placeProblem(state, 40, 'stateEmpty') ?? (right ? undefined : 'stateWrong');
  },
  city: ({ city }) => placeProblem(city, 60, 'cityEmpty'),
  street: ({ street }) => placeProblem(street, 100, 'streetEmpty'),
  streetNumber: ({ streetNumber }) => placeProblem(streetNumber, 12, 'streetNumberEmpty'),
} satisfies Record<PayerKey, Check>;

/** Part of an address: at most `max` characters, as the contract accepts. */
function placeProblem(place: string, max: number, empty: PayerProblem): PayerProblem | undefined {
  const { length } = place.trim();
  if (length === 0) return empty;
  return length > max ? 'placeLong' : undefined;
}

function nameProblem(name: string, max: number): PayerProblem | undefined {
  if (normalizeName(name).length > max) return 'nameLong';
  return isPersonName(name) ? undefined : 'nameLetters';
}

function isBirthDate(value: string, now: number): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return date > Date.UTC(1900, 0, 1) && date < now;
}

type PayerProblems = Partial<Record<PayerKey, PayerProblem>>;

/** The problems that prevent sending the form, by input, in screen order. Empty if every input is valid. */
export function payerProblems(form: PayerForm, asked: readonly RequiredGroup[], context: PayerContext): PayerProblems {
  const problems: PayerProblems = {};
  for (const key of requiredKeys(asked)) {
    const problem: PayerProblem | undefined = checks[key](form, context);
    if (problem) problems[key] = problem;
  }
  return problems;
}
