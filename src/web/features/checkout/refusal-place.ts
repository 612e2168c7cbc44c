import type { PayerField } from '../../../contract/billing.ts';
import { errorEntry, type ErrorField } from '../../../contract/error-codes.ts';
import type { PayNotice } from './pay-machine.ts';
import { askedKeys, type PayerKey } from './payer-form.ts';

/** The inputs behind the fields of the error catalogue. */
const ofCatalogue: Readonly<Partial<Record<ErrorField, PayerKey>>> = {
  cardNumber: 'number',
  cardCode: 'code',
  cardExpiry: 'expiry',
};

/** The inputs behind the parts of a payment's body, by the names under which 5000 refuses them. */
const ofBody: ReadonlyMap<string, PayerKey> = new Map([
  ['card', 'number'],
  ['card.number', 'number'],
  ['card.expiry', 'expiry'],
  ['card.code', 'code'],
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

/** The input that can mend a refusal; undefined where none on the screen can, and the notice above them says it. */
export function placeOfRefusal(notice: PayNotice, fields: readonly PayerField[]): PayerKey | undefined {
  const place = meant(notice);
  return place && askedKeys(fields).includes(place) ? place : undefined;
}

function meant(notice: PayNotice): PayerKey | undefined {
  if (notice.kind === 'refused') return notice.field === undefined ? undefined : ofBody.get(notice.field);
  if (notice.kind !== 'declined') return undefined;
  const field = errorEntry(notice.code)?.field;
  return field && ofCatalogue[field];
}
