import type { CardInput, Payer } from '#contract/card.ts';
import type { SavedCard } from '#contract/cards.ts';
import type { PayerField, SavedGroup } from '#contract/payer.ts';
import { normalizeName } from '#contract/person-name.ts';
import { normalizePostalCode } from '#contract/postal-rules.ts';
import { normalizeTaxId } from '#contract/tax-id.ts';
import { plainDigits } from './card-brand.ts';

/** What the customer types to pay. Card data is never stored; the rest stays in this tab. */
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

/** The groups of fields that the form requests: those of the method, or only the security code of a saved card. */
export type RequiredGroup = PayerField | 'savedCode';

/** Whether a card method is paid by a saved card or a new one, and whether the new one is stored. */
export interface CardUse {
  readonly saved?: SavedCard | undefined;
  readonly save?: boolean | undefined;
  /** the stored groups, which need not be requested; undefined if nothing is stored for this customer */
  readonly savedGroups?: readonly SavedGroup[] | undefined;
}

const ofSavedCard: readonly RequiredGroup[] = ['savedCode'];
const nothing: readonly RequiredGroup[] = [];

/** For a saved card the gateway has everything but the code; a provider with its own card page needs no code either. */
export function requiredGroups(
  fields: readonly PayerField[],
  { saved, savedGroups = [] }: CardUse,
): readonly RequiredGroup[] {
  const known: readonly string[] = savedGroups;
  if (!saved) return fields.filter((field) => !known.includes(field));
  return fields.includes('cardPage') ? nothing : ofSavedCard;
}

/** Whether a method is paid by card, here or at the provider's page, so that saved cards can be chosen. */
export const acceptsCards = (fields: readonly PayerField[]) => fields.includes('card') || fields.includes('cardPage');

/** The inputs of each requested group, in the order on the screen. */
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

/** The required inputs without duplicates: a card's holder is also the payer's name. */
export function requiredKeys(asked: readonly RequiredGroup[]): PayerKey[] {
  return [...new Set(groupOrder.filter((group) => asked.includes(group)).flatMap((group) => groupKeys[group]))];
}

/** The new card of the request; undefined if none is requested. `save`: the gateway stores it. */
export function toCard(form: PayerForm, asked: readonly RequiredGroup[], save = false): CardInput | undefined {
  if (!asked.includes('card')) return undefined;
  return {
    number: plainDigits(form.number),
    expiry: form.expiry,
    code: form.code,
    holderFirstName: normalizeName(form.firstName),
    holderLastName: normalizeName(form.lastName),
    ...(save ? { save } : {}),
  };
}

/** The payer of the request: only what was requested, so that nothing else is sent. */
export function toPayer(form: PayerForm, asked: readonly RequiredGroup[]): Payer {
  const has = (group: RequiredGroup) => asked.includes(group);
  const named = has('name') || has('card');
  return {
    ...(named ? { firstName: normalizeName(form.firstName), lastName: normalizeName(form.lastName) } : {}),
    ...(has('document') ? { document: normalizeTaxId(form.document) } : {}),
    ...(has('birthDate') ? { birthDate: form.birthDate } : {}),
    ...(has('phone') ? { phone: sentNumber(form.phone) } : {}),
    ...(has('mobile') ? { phone: sentNumber(form.mobile) } : {}),
    ...(has('address') ? { address: toAddress(form) } : {}),
  };
}

/** The typed digits, with the plus of a number from another country. */
const sentNumber = (text: string) => `${text.startsWith('+') ? '+' : ''}${plainDigits(text)}`;

function toAddress(form: PayerForm): NonNullable<Payer['address']> {
  return {
    zipCode: normalizePostalCode(form.zipCode),
    state: form.state.trim(),
    city: form.city.trim(),
    street: form.street.trim(),
    streetNumber: form.streetNumber.trim(),
  };
}
