import { errorEntry, type ErrorField } from '../../../../contract/error-codes.ts';
import type { PayNotice } from './pay-machine.ts';
import { askedKeys, type AskedGroup, type PayerKey } from '../payer/payer-form.ts';

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

/** The refusal of a saved card itself: another one has to be chosen. */
export type RefusalPlace = PayerKey | 'savedCard';

/** The input that can mend a refusal; undefined where none on the screen can, and the notice above them says it. */
export function placeOfRefusal(notice: PayNotice, asked: readonly AskedGroup[]): RefusalPlace | undefined {
  if ('code' in notice && notice.code === -2511) return 'savedCard';
  const place = meant(notice, asked);
  if (asked.includes('savedCode') && (place === 'number' || place === 'expiry')) return 'savedCard';
  return place && askedKeys(asked).includes(place) ? place : undefined;
}

function meant(notice: PayNotice, asked: readonly AskedGroup[]): PayerKey | undefined {
  if (notice.kind === 'refused') {
    const place = notice.field === undefined ? undefined : ofBody.get(notice.field);
    // on the wire a mobile number is the payer's telephone
    return place === 'phone' && asked.includes('mobile') ? 'mobile' : place;
  }
  if (notice.kind !== 'declined') return undefined;
  const field = errorEntry(notice.code)?.field;
  return field && ofCatalogue[field];
}
