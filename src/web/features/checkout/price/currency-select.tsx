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
 * A choice for this checkout and this device. It is written to the URL, or a reload would restore the one in the URL.
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

/** For shops that sell in several currencies. The coupon is retained and priced in the new currency. */
export function CurrencySelect({ currencies, currency, choices, hint }: CurrencySelectProps) {
  const { t, i18n } = useLingui();
  const ref = useRef<HTMLSelectElement>(null);
  useFocusTransfer(ref);
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

/** A change of currency can replace this screen; the select on the new screen receives the focus. */
function useFocusTransfer(ref: RefObject<HTMLSelectElement | null>): void {
  useLayoutEffect(() => {
    const list = ref.current;
    if (travelling) list?.focus();
    return () => {
      travelling = list !== null && document.activeElement === list;
      // the other select is mounted in the same tick, or not at all
      setTimeout(() => (travelling = false));
    };
  }, [ref]);
}
