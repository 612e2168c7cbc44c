import { shownPercent } from '../../../contract/plan.ts';

/** Percent as people of `language` write it. Spaces of two ICU versions may differ, as with prices. */
export function PercentText({ value, language }: { value: number; language: string }) {
  const share = shownPercent(value) / 100;
  const text = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  return (
    <span className="num" suppressHydrationWarning>
      {text}
    </span>
  );
}
