import type { PayerField } from '#contract/payer.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '#contract/card.ts';
import { brazilianState } from '#contract/places.ts';
import { countryOf, isPostalCode } from '#contract/postal-rules.ts';
import { taxIdKind } from '#contract/tax-id.ts';
import { normalizeToken } from '#contract/normalize-text.ts';
import { canonicalNumber, type CanonicalNumber, callingCodes, hasMobileLength } from '#server/runtime/phone-number.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import type { MethodRow } from '#server/brand/catalog.ts';
import type { PayBody } from './request-hash.ts';
import { and, desc, eq, isNotNull, or } from 'drizzle-orm';
import * as v from 'valibot';
import { buyerSchema, type Buyer } from '#contract/receipts.ts';
import { savedPayerOf, maskDocument } from './cards/payer.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/runtime/sealed.ts';

/** Refuses invalid input before a provider is called, so that a typing mistake creates no order and consumes no key. */
export function checkPayer(body: PayBody, facts: Facts): void {
  if (body.cardId !== undefined) return checkSavedCard(body, facts);
  for (const field of facts.method.fields) checks[field](body, facts);
}

interface Facts {
  readonly refuse: Refuse<'cardExpired' | 'wrongCardCode' | 'wrongCardNumber'>;
  readonly method: MethodRow;
  readonly now: number;
  /** calling code of the brand's country */
  readonly brandCode: string | undefined;
}

/**
 * The gateway knows the holder of a saved card, so only its security code is typed, unless cards are typed at the
 * provider's page.
 */
function checkSavedCard({ card, cardCode }: PayBody, { method: { fields }, refuse }: Facts): void {
  const typedThere = fields.includes('cardPage');
  if (card || (!typedThere && !fields.includes('card'))) refuseInput('cardId');
  if (typedThere && cardCode !== undefined) refuseInput('cardCode');
  if (!typedThere && !cardCode) refuse('wrongCardCode', { field: 'cardCode' });
}

const checks: Readonly<Record<PayerField, (body: PayBody, facts: Facts) => void>> = {
  card: ({ card }, { now, refuse }) => {
    if (!card) return refuseInput('card');
    const expiry = parseCardExpiry(card.expiry);
    if (!isCardNumber(card.number)) refuse('wrongCardNumber', { field: 'cardNumber' });
    if (!expiry) return refuseInput('card.expiry');
    if (isCardExpired(expiry, now)) refuse('cardExpired', { field: 'cardExpiry' });
  },
  cardPage: ({ card }) => {
    // no card number may pass through the shop
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
  phone: ({ payer, currency }, { brandCode }) => {
    if (payerPhone(payer.phone ?? '', phoneCodesOf(currency, brandCode)) === undefined) refuseInput('payer.phone');
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
 * The national number of a mobile phone (E.164: "national (significant) number"), the same for every spelling.
 * Undefined for a number that does not exist in its country, or of another country.
 */
export function nationalNumber(typed: string, diallingCode: string): string | undefined {
  const number = canonicalNumber(typed, diallingCode);
  return number?.areaCode === diallingCode && isReachable(number) ? number.national : undefined;
}

const isReachable = ({ isValid, areaCode, national }: CanonicalNumber): boolean =>
  isValid || hasMobileLength(areaCode, national);

/**
 * The calling codes that a payer's number without a country code may have: of the currency's country, then of the
 * brand's.
 */
export function phoneCodesOf(currency: string, brandCode: string | undefined): string[] {
  const [, ofCurrency] = callingCodes.find(([country]) => country === countryOf(currency)) ?? [];
  const known = [ofCurrency ?? '', (brandCode ?? '').replace(/\D/g, '')];
  return [...new Set(known.filter((code) => code !== ''))];
}

/**
 * The payer's telephone number: national digits for the first code, with a plus and country code otherwise. Without a
 * known country, digits without a plus stay unchanged, because any country would be a guess. Undefined if it is not a
 * telephone number.
 */
export function payerPhone(typed: string, codes: readonly string[]): string | undefined {
  const plain = normalizeToken(typed);
  if (codes.length === 0 && !/^[(]?(\+|00)/.test(plain)) {
    const digits = plain.replace(/[()./-]/g, '');
    return /^\d{8,15}$/.test(digits) ? digits : undefined;
  }
  const read = (codes.length > 0 ? codes : ['']).flatMap((code) => canonicalNumber(plain, code) ?? []);
  const own =
    read.find(({ isValid }) => isValid) ?? read.find((one) => codes.includes(one.areaCode) && isReachable(one));
  if (!own) return undefined;
  return own.areaCode === codes[0] ? own.national : `+${own.digits}`;
}

type Owner = Pick<OrderRow, 'brand' | 'uid'>;
type Stored = Owner & Pick<OrderRow, 'buyerSealed' | 'buyer'>;

const purpose = 'buyer';

/** Encrypts the buyer for orders and attempts, so that a copy of the database shows no name and no document. */
export function sealBuyer(deps: Pick<Deps, 'env' | 'random'>, owner: Owner, buyer: Buyer | null): string | null {
  return buyer && seal(deps, purpose, owner, buyer);
}

/** The buyer of an order or an attempt; null when it is missing, or when the signing secret has changed. */
export function buyerOf(env: Deps['env'], { buyerSealed, buyer, ...owner }: Stored): Buyer | null {
  return buyerSealed === null ? buyer : unsealBuyer(env, owner, buyerSealed);
}

export function unsealBuyer(env: Deps['env'], owner: Owner, sealed: string): Buyer | null {
  const read = v.safeParse(buyerSchema, unseal(env, purpose, owner, sealed));
  return read.success ? read.output : null;
}

/** The buyer as sent to the customer's browser: recognisable, but with a document number that cannot be used. */
export function maskBuyer(buyer: Buyer | null): Buyer | null {
  return buyer && { ...buyer, document: buyer.document && maskDocument(buyer.document) };
}

/**
 * The buyer that a receipt names. Saved cards and renewals send no name, so the stored payer is used, then the buyer of
 * the customer's last purchase.
 */
export async function findReceiptBuyer(deps: Pick<Deps, 'db' | 'env'>, attempt: AttemptRow): Promise<Buyer | null> {
  const { cardId, brand, uid } = attempt;
  const buyer = buyerOf(deps.env, attempt);
  if (cardId === null || (buyer?.name && buyer.document)) return buyer;
  const known = (await storedBuyer(deps, { brand, uid })) ?? (await lastBuyer(deps, { brand, uid }));
  return known && { name: buyer?.name ?? known.name, document: buyer?.document ?? known.document };
}

async function storedBuyer(deps: Pick<Deps, 'db' | 'env'>, owner: Owner): Promise<Buyer | undefined> {
  const payer = await savedPayerOf(deps, owner);
  const name = [payer?.firstName, payer?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : { name, document: payer?.document ?? null };
}

async function lastBuyer({ db, env }: Pick<Deps, 'db' | 'env'>, { brand, uid }: Owner): Promise<Buyer | null> {
  const named = or(isNotNull(orders.buyerSealed), isNotNull(orders.buyer));
  const [last] = await db
    .select({ buyerSealed: orders.buyerSealed, buyer: orders.buyer })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), named))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return last ? buyerOf(env, { brand, uid, ...last }) : null;
}
