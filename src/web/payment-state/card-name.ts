import type { SavedCard } from '../../contract/cards.ts';

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

const names: Readonly<Record<string, string>> = schemeNames;

/** `Visa •••• 4242`. A scheme that we do not know is called as its gateway calls it. */
export function cardName({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string {
  const scheme = Object.hasOwn(names, brand) ? names[brand] : brand;
  return `${scheme} •••• ${last4}`.trim();
}

/** `MM/YY`, as it stands on the card. */
export function cardExpiry({ expiryMonth, expiryYear }: Pick<SavedCard, 'expiryMonth' | 'expiryYear'>): string {
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0');
  return `${twoDigits(expiryMonth)}/${twoDigits(expiryYear)}`;
}
