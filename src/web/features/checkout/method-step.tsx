import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Select } from '../../ui/select.tsx';
import styles from './checkout.module.css';
import { MethodList } from './method-list.tsx';
import type { Choices } from './use-choices.ts';
import type { Purchase } from './use-purchase.ts';
import { ShieldCheck } from '../../ui/icon.tsx';

interface MethodStepProps {
  purchase: Purchase;
  currencies: readonly string[];
  choices: Choices;
  children: ReactNode;
}

/** The first step: in which currency, and how. */
export function MethodStep({ purchase, currencies, choices, children }: MethodStepProps) {
  const { t, i18n } = useLingui();
  const names = new Intl.DisplayNames([i18n.locale], { type: 'currency' });
  return (
    <div className={styles.main}>
      {children}
      {currencies.length > 1 ? (
        <div className={styles.currency}>
          <Select
            label={t`Currency`}
            name="currency"
            value={purchase.input.currency}
            onChange={(event) => choices.choose({ currency: event.target.value, coupon: choices.chosen.coupon })}
          >
            {currencies.map((code) => (
              <option key={code} value={code}>
                {`${code} – ${names.of(code) ?? code}`}
              </option>
            ))}
          </Select>
        </div>
      ) : null}
      <MethodList
        methods={purchase.methods}
        value={purchase.method.code}
        onChange={(methodCode) => choices.choose({ methodCode })}
      />
      <p className={styles.hint}>
        <ShieldCheck aria-hidden />
        <Trans>You pay on the next step. Nothing is charged yet.</Trans>
      </p>
    </div>
  );
}
