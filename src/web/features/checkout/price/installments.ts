import type { InstallmentOption } from '#contract/billing.ts';
import type { Money } from '#contract/money.ts';

/** The initial option: the site's default, or the highest that this method allows below it. */
export function initialInstallments(options: readonly InstallmentOption[], wanted: number): number {
  const counts = options.map((option) => option.count).toSorted((a, b) => a - b);
  return counts.findLast((count) => count <= wanted) ?? counts[0] ?? 1;
}

/** The chosen option while it is offered, else the initial one. */
export function chosenInstallments(
  options: readonly InstallmentOption[],
  chosen: number | undefined,
  wanted: number,
): number {
  return options.some((option) => option.count === chosen) && chosen !== undefined
    ? chosen
    : initialInstallments(options, wanted);
}

/** The total charged to the card, including interest. */
export function chargedTotal(total: Money, options: readonly InstallmentOption[] | undefined, count: number): Money {
  return options?.find((option) => option.count === count)?.total ?? total;
}
