import type { InstallmentOption } from '../../../../contract/billing.ts';
import { splitInstallments, type Money } from '../../../../contract/money.ts';

/** The option chosen at first: the site's wish, or the most that this method allows below it. */
export function initialInstallments(options: readonly InstallmentOption[], wanted: number): number {
  const counts = options.map((option) => option.count).toSorted((a, b) => a - b);
  return counts.findLast((count) => count <= wanted) ?? counts[0] ?? 1;
}

/** The chosen option while it is offered, else the one chosen at first. */
export function chosenInstallments(
  options: readonly InstallmentOption[],
  chosen: number | undefined,
  wanted: number,
): number {
  return options.some((option) => option.count === chosen) && chosen !== undefined
    ? chosen
    : initialInstallments(options, wanted);
}

export interface InstallmentGroup {
  readonly times: number;
  readonly each: Money;
}

/**
 * The installments by equal amounts, for reading: R$ 49.90 in 3 is one of 16.64 and two of 16.63. The server made the
 * total; this says how it is spread.
 */
export function installmentGroups({ count, total }: InstallmentOption): InstallmentGroup[] {
  const found: { times: number; each: Money }[] = [];
  for (const amount of splitInstallments(total.amount, count)) {
    const last = found.at(-1);
    if (last?.each.amount === amount) last.times += 1;
    else found.push({ times: 1, each: { amount, currency: total.currency } });
  }
  return found;
}

/** What is taken from the card in all: interest included. */
export function chargedTotal(total: Money, options: readonly InstallmentOption[] | undefined, count: number): Money {
  return options?.find((option) => option.count === count)?.total ?? total;
}
