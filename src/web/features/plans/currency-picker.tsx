import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Money } from '../../../contract/money.ts';
import type { PlanDetail } from '../../../contract/plan.ts';
import { Select } from '../../ui/select.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { convertQuery } from './plan-queries.ts';

interface ChosenPrice {
  /** ISO 4217: what `price` is in, and what was asked for */
  currency: string;
  wanted: string;
  price: Money;
  choose: (currency: string) => void;
  failed: boolean;
}

/** The plan's price in the currency that was chosen; until the server has said it, the plan's own stays. */
export function usePriceIn(plan: PlanDetail): ChosenPrice {
  const own = plan.price.currency;
  const [wanted, choose] = useState(own);
  const converted = useQuery({ ...convertQuery(plan.id, wanted), enabled: wanted !== own });
  const price = wanted === own ? plan.price : (converted.data?.price ?? plan.price);
  return { currency: price.currency, wanted, price, choose, failed: wanted !== own && converted.isError };
}

interface CurrencyPickerProps {
  currencies: readonly { code: string; symbol: string }[];
  chosen: ChosenPrice;
}

/** For shops that sell in several currencies. */
export function CurrencyPicker({ currencies, chosen }: CurrencyPickerProps) {
  const { t } = useLingui();
  const alive = useHydrated();
  if (currencies.length < 2) return null;
  // the plan's own price may be in one that nobody can pay in at the moment
  const isListed = currencies.some(({ code }) => code === chosen.wanted);
  const shown = isListed ? currencies : [{ code: chosen.wanted, symbol: chosen.wanted }, ...currencies];
  return (
    <Select
      label={t`Currency`}
      value={chosen.wanted}
      disabled={!alive}
      error={chosen.failed ? t`This plan has no price in that currency at the moment` : undefined}
      onChange={(event) => chosen.choose(event.target.value)}
    >
      {shown.map(({ code, symbol }) => (
        <option key={code} value={code}>
          {symbol === code ? code : `${code} · ${symbol}`}
        </option>
      ))}
    </Select>
  );
}
