import { formatMoney, type Money } from '#contract/money.ts';

/** A price that never breaks across lines. */
export function MoneyText({ money, language }: { money: Money; language: string }) {
  return (
    <span className="num" translate="no">
      {formatMoney(money, language)}
    </span>
  );
}

/** Separates two facts on one line; at a line break it stays with the first. */
export const dot = '\u00a0· ';
