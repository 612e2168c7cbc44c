import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { setWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { Select } from '#web/ui/select.tsx';
import styles from '../checkout.module.css';
import type { Choices } from '../use-choices.ts';

interface CurrencySelectProps {
  currencies: readonly string[];
  currency: string;
  choices: Choices;
  hint?: string | undefined;
}

/**
 * A choice of this checkout and of this device ([Note: Wanted currency]). The address goes along, or a reload would bring back the
 * one that it names.
 */
export function useChooseCurrency({ choose, chosen }: Choices): (currency: string, methodCode?: string) => void {
  const navigate = useNavigate();
  return (currency, methodCode = chosen.methodCode) => {
    setWantedCurrency(currency);
    choose({ currency, methodCode, discountCode: chosen.discountCode });
    const search = (before: object) => ({ ...before, currency });
    void navigate({ to: '/payment', search, replace: true, resetScroll: false });
  };
}

/** For shops that sell in several currencies. The coupon is kept: it is valued again in the other one. */
export function CurrencySelect({ currencies, currency, choices, hint }: CurrencySelectProps) {
  const { t, i18n } = useLingui();
  const ref = useRef<HTMLSelectElement>(null);
  useTravellingFocus(ref);
  const choose = useChooseCurrency(choices);
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' });
  if (currencies.length < 2) return null;
  return (
    <div className={styles.currency}>
      <Select
        ref={ref}
        label={t`Currency`}
        hint={hint}
        name="currency"
        value={currency}
        onChange={(event) => choose(event.target.value)}
      >
        {currencies.map((code) => (
          <option key={code} value={code}>
            {`${code} – ${names.of(code) ?? code}`}
          </option>
        ))}
      </Select>
    </div>
  );
}

let travelling = false;

/** The choice of a currency can put another screen in place of this one; the list on that one then has the focus. */
function useTravellingFocus(ref: RefObject<HTMLSelectElement | null>): void {
  useLayoutEffect(() => {
    const list = ref.current;
    if (travelling) list?.focus();
    return () => {
      travelling = list !== null && document.activeElement === list;
      // the other list is drawn in the same moment, or there is none
      setTimeout(() => (travelling = false));
    };
  }, [ref]);
}
