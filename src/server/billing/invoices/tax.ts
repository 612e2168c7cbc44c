/** An amount with its tax: net and tax add up to gross. All in minor units. */
export interface Taxed {
  readonly gross: number;
  readonly net: number;
  readonly tax: number;
}

/**
 * The tax in a gross price: gross * rate / (100 % + rate), rounded half up to the minor unit. `rate` is in thousandths
 * of a per cent, so 19000 is 19 %. In whole numbers, because 1.005 has no exact floating-point value.
 */
export function taxedAmount(gross: number, rate: number): Taxed {
  const whole = 100_000n + BigInt(rate);
  const tax = Number((2n * BigInt(gross) * BigInt(rate) + whole) / (2n * whole));
  return { gross, net: gross - tax, tax };
}

/**
 * The amounts of a credit note, all negative, for `amount` of an invoice that earlier credit notes left with `left`. Its
 * tax is the difference between the tax of what was left and of what is left now. Rounding each credit note by itself
 * would leave a remainder of tax on a sale that is refunded entirely in parts.
 */
export function creditedAmount(left: number, amount: number, rate: number): Taxed {
  const [before, after] = [taxedAmount(left, rate), taxedAmount(left - amount, rate)];
  return { gross: -amount, net: after.net - before.net, tax: after.tax - before.tax };
}
