import type { SavedCard } from '#contract/cards.ts';
import type { Order } from '#contract/order.ts';

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

/** `Visa •••• 4242`. An unknown scheme has the name that its gateway uses. */
export function cardName({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string {
  const scheme = Object.hasOwn(names, brand) ? names[brand] : brand;
  return `${scheme} ${lastDigits(last4)}`.trim();
}

/** How an order was paid: `Credit card •••• 4242`, so that the customer knows which card. */
export function methodOf({ methodName, cardLast4 }: Pick<Order, 'methodName' | 'cardLast4'>): string {
  return cardLast4 === null ? methodName : `${methodName} ${lastDigits(cardLast4)}`;
}

/** `MM/YY`, as printed on the card. */
export function cardExpiry({ expiryMonth, expiryYear }: Pick<SavedCard, 'expiryMonth' | 'expiryYear'>): string {
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0');
  return `${twoDigits(expiryMonth)}/${twoDigits(expiryYear)}`;
}
