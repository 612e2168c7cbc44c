import type { PayerField } from '../../contract/billing.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '../../contract/card.ts';
import { brazilianState } from '../../contract/places.ts';
import { isPostalCode } from '../../contract/postal-rules.ts';
import { taxIdKind } from '../../contract/tax-id.ts';
import { typedToken } from '../../contract/typed-text.ts';
import { canonicalNumber } from '../process/phone-number.ts';
import { refuse, refuseInput } from '../request/api-error.ts';
import type { MethodRow } from '../brand/catalog.ts';
import type { PayBody } from './request-hash.ts';

/** Refuses what no provider needs to be asked about: nothing is ordered and no key is spent by a typing mistake. */
export function checkPayer(body: PayBody, method: MethodRow, now: number): void {
  if (body.cardId !== undefined) return checkSavedCard(body, method);
  for (const field of method.fields) checks[field](body, { now, method });
}

/** Of a saved card the gateway knows its holder; only the code is typed again, and not even that where cards are typed elsewhere. */
function checkSavedCard({ card, cardCode }: PayBody, { fields }: MethodRow): void {
  const typedThere = fields.includes('cardPage');
  if (card || (!typedThere && !fields.includes('card'))) refuseInput('cardId');
  if (typedThere && cardCode !== undefined) refuseInput('cardCode');
  if (!typedThere && !cardCode) refuse(315, { field: 'cardCode' });
}

const checks: Readonly<Record<PayerField, (body: PayBody, facts: { now: number; method: MethodRow }) => void>> = {
  card: ({ card }, { now }) => {
    if (!card) return refuseInput('card');
    const expiry = parseCardExpiry(card.expiry);
    if (!isCardNumber(card.number)) refuse(314, { field: 'cardNumber' });
    if (!expiry) return refuseInput('card.expiry');
    if (isCardExpired(expiry, now)) refuse(309, { field: 'cardExpiry' });
  },
  cardPage: ({ card }) => {
    // none may pass through the shop
    if (card) refuseInput('card');
  },
  name: ({ card, payer }) => {
    if (!(payer.firstName ?? card?.holderFirstName)) refuseInput('payer.firstName');
  },
  document: ({ payer }) => {
    if (!taxIdKind(payer.document ?? '')) refuseInput('payer.document');
  },
  birthDate: ({ payer }) => {
    if (!payer.birthDate) refuseInput('payer.birthDate');
  },
  phone: ({ payer }) => {
    if (payerPhone(payer.phone ?? '') === undefined) refuseInput('payer.phone');
  },
  mobile: ({ payer, currency }, { method }) => {
    const diallingCode = method.details.diallingCodes?.[currency];
    if (diallingCode === undefined || !nationalNumber(payer.phone ?? '', diallingCode)) refuseInput('payer.phone');
  },
  address: ({ payer, currency }) => {
    if (!payer.address) return refuseInput('payer.address');
    if (currency === 'BRL' && !isPostalCode(payer.address.zipCode, currency)) refuseInput('payer.address.zipCode');
    if (currency === 'BRL' && !brazilianState(payer.address.state)) refuseInput('payer.address.state');
  },
};

/**
 * The national number of a mobile phone (E.164, "national (significant) number"), so that one phone has one spelling however
 * it was typed or filled in. Undefined for a number that its country does not have, and for one of another country.
 */
export function nationalNumber(typed: string, diallingCode: string): string | undefined {
  const number = canonicalNumber(typed, diallingCode);
  if (number?.areaCode !== diallingCode) return undefined;
  // ranges are opened faster than their metadata is published, so of a whole length any beginning is taken
  return number.isValid || /^[1-9]\d{8,}$/.test(number.national) ? number.national : undefined;
}

/**
 * The payer's telephone: national digits in the brand's country, and with a plus in another one. Undefined for what is no
 * telephone number at all.
 */
export function payerPhone(typed: string, areaCode = ''): string | undefined {
  const number = canonicalNumber(typed, areaCode);
  const plain = typedToken(typed);
  const digits = plain.replace(/\D/g, '');
  if (/^(\+|00)/.test(plain)) {
    if (!number?.isValid) return undefined;
    return number.areaCode === areaCode ? number.national : `+${number.digits}`;
  }
  if (number?.isValid && number.areaCode === areaCode) return number.national;
  return /^\d{8,15}$/.test(digits) ? digits : undefined;
}
