import { exponent, type Money } from '../../../contract/money.ts';

/**
 * What the QR of a caishen transfer says. The scheme is the brand's own: its people publish no format, so this is an
 * opaque text with all that the receiver's app needs, in major units, and nothing of the shop reads it.
 */
export function caishenLink(transfer: { account: string; money: Money; reference: string }): string {
  const { account, money, reference } = transfer;
  const digits = exponent(money.currency);
  const amount = (money.amount / 10 ** digits).toFixed(digits);
  const query = new URLSearchParams({ account, amount, currency: money.currency, reference });
  return `caishen://pay?${query.toString()}`;
}
