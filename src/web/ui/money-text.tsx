import { formatMoney, type Money } from '#contract/money.ts';

/** A price that never breaks across lines. */
export function MoneyText({ money, language }: { money: Money; language: string }) {
  return (
    <span className="num" translate="no">
      {formatMoney(money, language)}
    </span>
  );
}
