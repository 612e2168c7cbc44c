import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { setWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { Select } from '#web/ui/select.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { currenciesQuery } from './pricing-queries.ts';

interface CurrencyPickerProps {
  value: string;
  failed?: boolean;
  /** the label is for screen readers only; the amounts beside it show it visually */
  bare?: boolean;
}

/** For shops that sell in several currencies. */
export function CurrencyPicker({ value, failed = false, bare = false }: CurrencyPickerProps) {
  const { t } = useLingui();
  const alive = useHydrated();
  const currencies = useQuery(currenciesQuery()).data ?? [];
  if (currencies.length < 2) return null;
  // the plan's own currency may be one without a payment method at the moment
  const isListed = currencies.some(({ code }) => code === value);
  const shown = isListed ? currencies : [{ code: value, symbol: value }, ...currencies];
  return (
    <Select
      label={bare ? <span className="sr-only">{t`Currency`}</span> : t`Currency`}
      value={value}
      disabled={!alive}
      error={failed ? t`This plan has no price in that currency right now` : undefined}
      onChange={(event) => setWantedCurrency(event.target.value)}
    >
      {shown.map(({ code, symbol }) => (
        <option key={code} value={code}>
          {symbol === code ? code : `${code} · ${symbol}`}
        </option>
      ))}
    </Select>
  );
}
