import type { PayerField } from '../../contract/billing.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '../../contract/card.ts';
import { taxIdKind } from '../../contract/tax-id.ts';
import { refuse, refuseInput } from '../api-error.ts';
import type { MethodRow } from '../brand/catalog.ts';
import { nationalNumber } from './national-number.ts';
import type { PayBody } from './request-hash.ts';

/** Refuses what no provider needs to be asked about: nothing is ordered and no key is spent by a typing mistake. */
export function checkPayer(body: PayBody, method: MethodRow, now: number): void {
  if (body.cardId !== undefined) return checkSavedCard(body, method);
  for (const field of method.fields) checks[field](body, { now, method });
}

/** Of a saved card the gateway knows its holder; only the code is typed again. */
function checkSavedCard({ card, cardCode }: PayBody, method: MethodRow): void {
  if (card || !method.fields.includes('card')) refuseInput('cardId');
  if (!cardCode) refuse(315, { field: 'cardCode' });
}

const checks: Readonly<Record<PayerField, (body: PayBody, facts: { now: number; method: MethodRow }) => void>> = {
  card: ({ card }, { now }) => {
    if (!card) return refuseInput('card');
    const expiry = parseCardExpiry(card.expiry);
    if (!isCardNumber(card.number)) refuse(314, { field: 'cardNumber' });
    if (!expiry) return refuseInput('card.expiry');
    if (isCardExpired(expiry, now)) refuse(309, { field: 'cardExpiry' });
  },
  name: ({ card, payer }) => {
    if (!(payer.firstName ?? card?.holderFirstName)) refuseInput('payer.firstName');
    if (!(payer.lastName ?? card?.holderLastName)) refuseInput('payer.lastName');
  },
  document: ({ payer }) => {
    if (!taxIdKind(payer.document ?? '')) refuseInput('payer.document');
  },
  birthDate: ({ payer }) => {
    if (!payer.birthDate) refuseInput('payer.birthDate');
  },
  phone: ({ payer }) => {
    if (!/^\d{8,15}$/.test((payer.phone ?? '').replace(/\D/g, ''))) refuseInput('payer.phone');
  },
  mobile: ({ payer, currency }, { method }) => {
    const diallingCode = method.details.diallingCodes?.[currency];
    if (diallingCode === undefined || !nationalNumber(payer.phone ?? '', diallingCode)) refuseInput('payer.phone');
  },
  address: ({ payer }) => {
    if (!payer.address) refuseInput('payer.address');
  },
};
