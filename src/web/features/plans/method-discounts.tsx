import { Trans } from '@lingui/react/macro';
import { type MethodDiscount, shownPercent } from '../../../contract/plan.ts';
import { TicketPercent } from '../../ui/icon.tsx';
import styles from './plan-lines.module.css';

/** What paying by one method takes off, told before anything is chosen. */
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

/** Each takes a millisecond to make on a slow phone, and a page of plans has dozens of percentages. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(language: string): Intl.NumberFormat {
  const format =
    formats.get(language) ?? new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  formats.set(language, format);
  return format;
}

/** Percent as people of `language` write it. Spaces of two ICU versions may differ, as with prices. */
export function PercentText({ value, language }: { value: number; language: string }) {
  return (
    <span className="num" suppressHydrationWarning>
      {formatOf(language).format(shownPercent(value) / 100)}
    </span>
  );
}
