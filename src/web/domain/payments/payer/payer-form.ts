import type { PayerField } from '#contract/billing.ts';
import type { CardInput, Payer } from '#contract/card.ts';
import type { SavedCard } from '#contract/cards.ts';
import type { SavedGroup } from '#contract/payer.ts';
import { typedName } from '#contract/person-name.ts';
import { typedPostalCode } from '#contract/postal-rules.ts';
import { normalizeTaxId } from '#contract/tax-id.ts';
import { plainDigits } from './typed-digits.ts';

/** What the customer types to pay. Nothing of a card is ever stored; the rest stays in this tab. */
export interface PayerForm {
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly document: string;
  readonly birthDate: string;
  readonly phone: string;
  readonly mobile: string;
  readonly zipCode: string;
  readonly state: string;
  readonly city: string;
  readonly street: string;
  readonly streetNumber: string;
}
export type PayerKey = keyof PayerForm;

export const emptyPayerForm: PayerForm = {
  number: '',
  expiry: '',
  code: '',
  firstName: '',
  lastName: '',
  document: '',
  birthDate: '',
  phone: '',
  mobile: '',
  zipCode: '',
  state: '',
  city: '',
  street: '',
  streetNumber: '',
};

/** What the form asks for: the groups of the method, or of a saved card its security code alone. */
export type RequiredGroup = PayerField | 'savedCode';

/** A card method is paid by a saved card, or by the one that is typed, to be kept or not. */
export interface CardUse {
  readonly saved?: SavedCard | undefined;
  readonly save?: boolean | undefined;
  /** what the shop keeps of the payer and need not be asked for; undefined where it keeps nothing of this customer */
  readonly kept?: readonly SavedGroup[] | undefined;
}

const ofSavedCard: readonly RequiredGroup[] = ['savedCode'];
const nothing: readonly RequiredGroup[] = [];

/** Of a saved card the gateway knows all but the code, and one that takes cards at its own page wants no code either. */
export function requiredGroups(fields: readonly PayerField[], { saved, kept = [] }: CardUse): readonly RequiredGroup[] {
  const known: readonly string[] = kept;
  if (!saved) return fields.filter((field) => !known.includes(field));
  return fields.includes('cardPage') ? nothing : ofSavedCard;
}

/** Whether a method is paid by a card, typed here or at its provider's page, so that saved ones can be chosen. */
export const acceptsCards = (fields: readonly PayerField[]) => fields.includes('card') || fields.includes('cardPage');

/** The inputs behind each group that is asked for, in the order in which they stand on the screen. */
const groupKeys = {
  savedCode: ['code'],
  cardPage: [],
  card: ['number', 'expiry', 'code', 'firstName', 'lastName'],
  name: ['firstName', 'lastName'],
  document: ['document'],
  birthDate: ['birthDate'],
  phone: ['phone'],
  mobile: ['mobile'],
  address: ['zipCode', 'state', 'city', 'street', 'streetNumber'],
} satisfies Record<RequiredGroup, PayerKey[]>;

const groupOrder: readonly RequiredGroup[] = [
  'savedCode',
  'card',
  'cardPage',
  'name',
  'document',
  'birthDate',
  'phone',
  'mobile',
  'address',
];

/** Every input that is needed, once: a card's holder is also the payer's name. */
export function requiredKeys(asked: readonly RequiredGroup[]): PayerKey[] {
  return [...new Set(groupOrder.filter((group) => asked.includes(group)).flatMap((group) => groupKeys[group]))];
}

/** The new card of the request, or undefined when none is asked for. `save`: the gateway shall keep it. */
export function toCard(form: PayerForm, asked: readonly RequiredGroup[], save = false): CardInput | undefined {
  if (!asked.includes('card')) return undefined;
  return {
    number: plainDigits(form.number),
    expiry: form.expiry,
    code: form.code,
    holderFirstName: typedName(form.firstName),
    holderLastName: typedName(form.lastName),
    ...(save ? { save } : {}),
  };
}

/** The payer of the request: only what is asked for, so that nothing else leaves the phone. */
export function toPayer(form: PayerForm, asked: readonly RequiredGroup[]): Payer {
  const has = (group: RequiredGroup) => asked.includes(group);
  const named = has('name') || has('card');
  return {
    ...(named ? { firstName: typedName(form.firstName), lastName: typedName(form.lastName) } : {}),
    ...(has('document') ? { document: normalizeTaxId(form.document) } : {}),
    ...(has('birthDate') ? { birthDate: form.birthDate } : {}),
    ...(has('phone') ? { phone: sentNumber(form.phone) } : {}),
    ...(has('mobile') ? { phone: sentNumber(form.mobile) } : {}),
    ...(has('address') ? { address: toAddress(form) } : {}),
  };
}

/** The digits as they were typed, and the plus of another country's number. */
const sentNumber = (text: string) => `${text.startsWith('+') ? '+' : ''}${plainDigits(text)}`;

function toAddress(form: PayerForm): NonNullable<Payer['address']> {
  return {
    zipCode: typedPostalCode(form.zipCode),
    state: form.state.trim(),
    city: form.city.trim(),
    street: form.street.trim(),
    streetNumber: form.streetNumber.trim(),
  };
}
