import type { PayerField } from '../../contract/billing.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '../../contract/card.ts';
import { brazilianState } from '../../contract/places.ts';
import { isPostalCode } from '../../contract/postal-rules.ts';
import { taxIdKind } from '../../contract/tax-id.ts';
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
    if (!/^\d{8,15}$/.test((payer.phone ?? '').replace(/\D/g, ''))) refuseInput('payer.phone');
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
 * A number as its own country dials it, without the country's code and the 0 before it (E.164, "national (significant)
 * number"), so that one phone has one spelling however it was typed or filled in. Undefined when it is none: with its
 * country's code a number has 15 digits at most.
 */
export function nationalNumber(typed: string, diallingCode: string): string | undefined {
  const digits = typed.replace(/\D/g, '').replace(/^00/, '');
  // a number of ten digits may begin like the code by chance; with the code before it, it has more
  const hasCode = digits.startsWith(diallingCode) && digits.length > 10;
  const national = (hasCode ? digits.slice(diallingCode.length) : digits).replace(/^0/, '');
  return national.length >= 6 && national.length + diallingCode.length <= 15 ? national : undefined;
}
