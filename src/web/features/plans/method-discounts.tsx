import { Trans } from '@lingui/react/macro';
import { formatPercent } from '#contract/numbers.ts';
import { type MethodDiscount, shownPercent } from '#contract/plan.ts';
import { TicketPercent } from '#web/ui/icon.tsx';
import styles from './plan-lines.module.css';

/** The discounts of payment methods, shown before anything is chosen. */
export function MethodDiscounts({ discounts, language }: { discounts: readonly MethodDiscount[]; language: string }) {
  const real = discounts.filter(({ discount }) => discount > 0);
  if (real.length === 0) return null;
  return (
    <ul className={styles.lines}>
      {real.map(({ methodCode, name, discount }) => (
        <li key={methodCode} className={styles.good}>
          <TicketPercent aria-hidden />
          <span>
            <Trans>
              <PercentText value={discount} language={language} /> off with {name}
            </Trans>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A percentage in the format of `language`. */
export function PercentText({ value, language }: { value: number; language: string }) {
  return (
    <span className="num" translate="no">
      {formatPercent(shownPercent(value), language)}
    </span>
  );
}
