import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { setWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { Select } from '#web/ui/select.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { currenciesQuery } from './pricing-queries.ts';

interface CurrencyPickerProps {
  value: string;
  failed?: boolean;
  /** its name is for those who listen; the amounts beside it tell everybody else */
  bare?: boolean;
}

/** For shops that sell in several currencies. */
export function CurrencyPicker({ value, failed = false, bare = false }: CurrencyPickerProps) {
  const { t } = useLingui();
  const alive = useHydrated();
  const currencies = useQuery(currenciesQuery()).data ?? [];
  if (currencies.length < 2) return null;
  // the plan's own price may be in one that nobody can pay in at the moment
  const isListed = currencies.some(({ code }) => code === value);
  const shown = isListed ? currencies : [{ code: value, symbol: value }, ...currencies];
  return (
    <Select
      label={bare ? <span className="sr-only">{t`Currency`}</span> : t`Currency`}
      value={value}
      disabled={!alive}
      error={failed ? t`This plan has no price in that currency at the moment` : undefined}
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
