import type { Language } from './fields.ts';
import { formatMoney, splitInstallments, type Money } from './money.ts';

interface InstallmentGroup {
  readonly times: number;
  readonly each: Money;
}

interface InParts {
  /** number of installments; 1 is a single payment */
  readonly count: number;
  readonly total: Money;
}

/**
 * Groups installments of equal amounts for display: R$ 49.90 in 3 is one of 16.64 and two of 16.63. The server
 * calculates the total.
 */
export function installmentGroups({ count, total }: InParts): InstallmentGroup[] {
  const groups: { times: number; each: Money }[] = [];
  for (const amount of splitInstallments(total.amount, count)) {
    const last = groups.at(-1);
    if (last?.each.amount === amount) last.times += 1;
    else groups.push({ times: 1, each: { amount, currency: total.currency } });
  }
  return groups;
}

/** `3 × R$ 19.97`, or `1 × R$ 16.64 + 2 × R$ 16.63` if installments differ by a cent. No line breaks within a part. */
export function formatInstallments(parts: InParts, language: Language): string {
  return installmentGroups(parts)
    .map(({ times, each }) => `${times}\u00a0×\u00a0${formatMoney(each, language)}`)
    .join(' + ');
}
