/** Whole percent as people of `language` write it. Spaces of two ICU versions may differ, as with prices. */
export function PercentText({ value, language }: { value: number; language: string }) {
  const text = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);
  return (
    <span className="num" suppressHydrationWarning>
      {text}
    </span>
  );
}
