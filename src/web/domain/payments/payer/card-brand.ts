import { normalizeToken } from '#contract/normalize-text.ts';
import type { SavedCard } from '#contract/cards.ts';
import type { Order } from '#contract/order.ts';

export type CardBrand = keyof typeof schemeNames;

/** First and last prefix of a range, both of the same length. */
type Range = readonly [string, string];

interface BrandRule {
  readonly brand: CardBrand;
  readonly ranges: readonly Range[];
}

const one = (prefix: string): Range => [prefix, prefix];

/**
 * Issuer ranges (ISO/IEC 7812). Elo and Hipercard are inside the ranges of the big schemes, so the longest prefix wins.
 * Sources: the schemes' public BIN lists as used by the Brazilian acquirers.
 */
const rules: readonly BrandRule[] = [
  { brand: 'visa', ranges: [one('4')] },
  {
    brand: 'mastercard',
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
  },
  { brand: 'amex', ranges: [one('34'), one('37')] },
  { brand: 'diners', ranges: [['300', '305'], one('36'), ['38', '39']] },
  { brand: 'discover', ranges: [one('6011'), ['622126', '622925'], ['644', '649'], one('65')] },
  { brand: 'hipercard', ranges: ['606282', '637095', '637568', '637599', '637609', '637612'].map(one) },
  {
    brand: 'elo',
    ranges: [
      ...['401178', '401179', '431274', '438935', '451416', '457393', '504175', '627780', '636297', '636368'].map(one),
      ['457631', '457632'],
      ['506699', '506778'],
      ['509000', '509999'],
      ['650031', '650033'],
      ['650035', '650051'],
      ['650405', '650439'],
      ['650485', '650538'],
      ['650541', '650598'],
      ['650700', '650718'],
      ['650720', '650727'],
      ['650901', '650978'],
      ['651652', '651679'],
      ['655000', '655019'],
      ['655021', '655058'],
    ],
  },
];

/** The scheme of a number as typed so far; undefined while it is ambiguous. */
export function cardBrand(digits: string): CardBrand | undefined {
  let found: { brand: CardBrand; length: number } | undefined;
  for (const { brand, ranges } of rules) {
    const length = Math.max(0, ...ranges.filter((range) => inRange(digits, range)).map(([low]) => low.length));
    if (length > (found?.length ?? 0)) found = { brand, length };
  }
  return found?.brand;
}

function inRange(digits: string, [low, high]: Range): boolean {
  const prefix = digits.slice(0, low.length);
  return prefix.length === low.length && prefix >= low && prefix <= high;
}

const groups: Partial<Record<CardBrand, readonly number[]>> = { amex: [4, 6, 5], diners: [4, 6, 4, 5] };
const lengths: Partial<Record<CardBrand, readonly number[]>> = {
  visa: [13, 16, 19],
  mastercard: [16],
  amex: [15],
  elo: [16],
  hipercard: [13, 16, 19],
  discover: [16, 17, 18, 19],
  diners: [14, 16, 19],
};

/** The possible lengths of a complete number of this scheme. */
export function cardLengths(brand: CardBrand | undefined): readonly number[] {
  return (brand && lengths[brand]) ?? [12, 13, 14, 15, 16, 17, 18, 19];
}

/** Length of the security code: 4 on the front of an American Express, 3 otherwise. */
export function cardCodeLength(brand: CardBrand | undefined): 3 | 4 {
  return brand === 'amex' ? 4 : 3;
}

/** Groups the digits as embossed on the card, from typed or pasted text. */
export function groupCardNumber(typed: string, before = ''): string {
  const brand = cardBrand(plainDigits(typed));
  const digits = limitDigits(typed, before, Math.max(...cardLengths(brand)));
  const sizes = (brand && groups[brand]) ?? [4, 4, 4, 4, 3];
  const parts: string[] = [];
  let from = 0;
  for (const size of sizes) {
    if (from < digits.length) parts.push(digits.slice(from, from + size));
    from += size;
  }
  return [...parts, digits.slice(from)].filter((part) => part !== '').join(' ');
}

export const plainDigits = (text: string) => normalizeToken(text).replace(/\D/g, '');

/** More digits than any field accepts: a wrong paste stays visible, up to a limit. */
const longest = 30;

/**
 * The digits of typed or pasted text. One digit too many is ignored, wherever it was typed; several at once are a
 * paste, which stays complete, so that it is refused instead of truncated into another value.
 */
export function limitDigits(text: string, before: string, max: number): string {
  const digits = plainDigits(text);
  const old = plainDigits(before);
  return digits.length > max && isOneCharacterMore(digits, old) ? old : digits.slice(0, longest);
}

/** The number of inserted and removed characters at the one place where the texts differ. */
function changeOf(text: string, before: string): { inserted: number; removed: number } {
  const shorter = Math.min(text.length, before.length);
  let start = 0;
  while (start < shorter && text[start] === before[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text[text.length - 1 - end] === before[before.length - 1 - end]) end += 1;
  return { inserted: text.length - start - end, removed: before.length - start - end };
}

/** Whether exactly one character was inserted, at any place. */
export function isOneCharacterMore(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted === 1 && removed === 0;
}

/** Whether several characters were pasted or filled in, into an empty field or replacing others. */
export function isReplacement(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted > 1 && (removed > 0 || before === '');
}

/** Names of schemes are the same in every language. */
export const schemeNames = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  elo: 'Elo',
  hipercard: 'Hipercard',
  discover: 'Discover',
  diners: 'Diners Club',
} as const;

/** The schemes that are shown before a number is typed: Elo and Hipercard are Brazilian. */
export function schemesIn(currencies: readonly string[]): readonly (keyof typeof schemeNames)[] {
  return currencies.includes('BRL')
    ? ['visa', 'mastercard', 'elo', 'amex', 'hipercard']
    : ['visa', 'mastercard', 'amex'];
}

const names: Readonly<Record<string, string>> = schemeNames;

/** `•••• 4242`, without a line break. */
export const lastDigits = (last4: string): string => `••••\u00a0${last4}`;

/** `Visa •••• 4242`, `PayPal a***@example.com`. An unknown scheme has the name that its gateway uses. */
export function cardName({ brand, last4, account }: Pick<SavedCard, 'brand' | 'last4' | 'account'>): string {
  if (account !== undefined) return `PayPal ${account}`;
  const scheme = Object.hasOwn(names, brand) ? names[brand] : brand;
  return `${scheme} ${lastDigits(last4)}`.trim();
}

/** How an order was paid: `Credit card •••• 4242`, so that the customer knows which card. */
export function formatPaymentMethod({ methodName, cardLast4 }: Pick<Order, 'methodName' | 'cardLast4'>): string {
  return cardLast4 === null ? methodName : `${methodName} ${lastDigits(cardLast4)}`;
}

/** `MM/YY`, as printed on the card. */
export function cardExpiry({ expiryMonth, expiryYear }: Pick<SavedCard, 'expiryMonth' | 'expiryYear'>): string {
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0');
  return `${twoDigits(expiryMonth)}/${twoDigits(expiryYear)}`;
}
