import type { PayerField } from '../../../contract/billing.ts';
import type { CardInput, Payer } from '../../../contract/card.ts';
import { normalizeTaxId } from '../../../contract/tax-id.ts';

/** What the customer types to pay. Held in memory only: none of it is ever stored (decisions, "Paying"). */
export interface PayerForm {
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly document: string;
  readonly birthDate: string;
  readonly phoneArea: string;
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
  phoneArea: '',
  phone: '',
  mobile: '',
  zipCode: '',
  state: '',
  city: '',
  street: '',
  streetNumber: '',
};

/** The inputs behind each group that a method asks for, in the order in which they stand on the screen. */
const groupKeys = {
  card: ['number', 'expiry', 'code', 'firstName', 'lastName'],
  name: ['firstName', 'lastName'],
  document: ['document'],
  birthDate: ['birthDate'],
  phone: ['phoneArea', 'phone'],
  mobile: ['mobile'],
  address: ['zipCode', 'state', 'city', 'street', 'streetNumber'],
} satisfies Record<PayerField, PayerKey[]>;

const groupOrder: readonly PayerField[] = ['card', 'name', 'document', 'birthDate', 'phone', 'mobile', 'address'];

/** Every input that a method needs, once: a card's holder is also the payer's name. */
export function askedKeys(fields: readonly PayerField[]): PayerKey[] {
  return [...new Set(groupOrder.filter((group) => fields.includes(group)).flatMap((group) => groupKeys[group]))];
}

/** The card of the request, or undefined when the method takes none. */
export function toCard(form: PayerForm, fields: readonly PayerField[]): CardInput | undefined {
  if (!fields.includes('card')) return undefined;
  return {
    number: form.number.replace(/\D/g, ''),
    expiry: form.expiry,
    code: form.code,
    holderFirstName: form.firstName.trim(),
    holderLastName: form.lastName.trim(),
  };
}

/** The payer of the request: only what the method asks for, so that nothing else leaves the phone. */
export function toPayer(form: PayerForm, fields: readonly PayerField[]): Payer {
  const has = (field: PayerField) => fields.includes(field);
  const named = has('name') || has('card');
  return {
    ...(named ? { firstName: form.firstName.trim(), lastName: form.lastName.trim() } : {}),
    ...(has('document') ? { document: normalizeTaxId(form.document) } : {}),
    ...(has('birthDate') ? { birthDate: form.birthDate } : {}),
    ...(has('phone') ? { phone: `${form.phoneArea}${form.phone}`.replace(/\D/g, '') } : {}),
    ...(has('mobile') ? { phone: form.mobile.replace(/\D/g, '') } : {}),
    ...(has('address') ? { address: toAddress(form) } : {}),
  };
}

function toAddress(form: PayerForm): NonNullable<Payer['address']> {
  return {
    zipCode: form.zipCode.trim(),
    state: form.state.trim(),
    city: form.city.trim(),
    street: form.street.trim(),
    streetNumber: form.streetNumber.trim(),
  };
}

/** Whether two fills of the form are the same payment, so that its key may be kept. Compared in memory, never stored. */
export function sameInputs(a: PayerForm, b: PayerForm): boolean {
  return (Object.keys(emptyPayerForm) as PayerKey[]).every((key) => a[key] === b[key]); // keys of a constant of ours
}
