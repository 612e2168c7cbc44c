/**
 * What a wallet reads from the QR. Amounts are whole numbers of the coin's smallest unit: a wallet sends what is
 * written, so nothing may be rounded on the way. On TRON no standard is read by all wallets, and the QR holds the
 * address alone.
 */

/** A token by ERC-681: `ethereum:<contract>@<chain>/transfer?address=<to>&uint256=<units>`. */
export function tokenUri(payment: { contract: string; chain: number; to: string; units: bigint }): string {
  const { contract, chain, to, units } = payment;
  return `ethereum:${contract}@${chain}/transfer?address=${to}&uint256=${units}`;
}

/** Ether by ERC-681; `wei` of it. */
export function etherUri({ chain, to, wei }: { chain: number; to: string; wei: bigint }): string {
  return `ethereum:${to}@${chain}?value=${wei}`;
}

/** Bitcoin by BIP-21, whose amount is decimal BTC. */
export function bitcoinUri({ to, satoshi, label }: { to: string; satoshi: bigint; label: string }): string {
  return `bitcoin:${to}?amount=${coinText(satoshi, 8)}&label=${encodeURIComponent(label)}`;
}

/** Units of a coin as decimal text without needless zeros: 49900000 of 6 decimals are `49.9`. */
export function coinText(units: bigint, decimals: number): string {
  if (units < 0n) throw new RangeError('an amount of a coin is not negative');
  const text = units.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Units that buy so many cents, rounded up, so that the price is never short. `cents` and `centsPerCoin` are minor units
 * of the same currency.
 */
export function unitsOf(cents: number, { centsPerCoin, decimals }: { centsPerCoin: bigint; decimals: number }): bigint {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError('amount must be minor units');
  const exact = BigInt(cents) * 10n ** BigInt(decimals);
  return (exact + centsPerCoin - 1n) / centsPerCoin;
}
