import { formatMoney, type Money } from '../../contract/money.ts';

/**
 * A price. Two versions of ICU may place different spaces between symbol and number; that difference is no reason
 * to draw the page again, so hydration overlooks it.
 */
export function MoneyText({ money, language }: { money: Money; language: string }) {
  return (
    <span className="num" suppressHydrationWarning>
      {formatMoney(money, language)}
    </span>
  );
}
