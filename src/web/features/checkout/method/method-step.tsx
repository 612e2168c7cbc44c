import { Trans } from '@lingui/react/macro';
import { ShieldCheck } from '#web/ui/icon.tsx';
import styles from '../checkout.module.css';
import { CurrencySelect } from '../price/currency-select.tsx';
import { MethodList } from './method-list.tsx';
import { OtherCurrencies } from './other-currencies.tsx';
import type { Choices } from '../use-choices.ts';
import type { Purchase } from '../price/use-purchase.ts';
import type { Elements } from '#web/ui/elements.ts';

interface MethodStepProps {
  purchase: Purchase;
  currencies: readonly string[];
  choices: Choices;
  /** the form of the chosen method, if it expands below it */
  details: Elements;
  children: Elements;
}

/** The first step: currency and method. */
export function MethodStep({ purchase, currencies, choices, details, children }: MethodStepProps) {
  return (
    <div className={styles.main}>
      {children}
      <CurrencySelect currencies={currencies} currency={purchase.input.currency} choices={choices} />
      <MethodList
        methods={purchase.methods}
        value={purchase.method.code}
        onChange={(methodCode) => choices.choose({ methodCode })}
        details={details}
      />
      <OtherCurrencies purchase={purchase} currencies={currencies} choices={choices} />
      {details ? null : (
        <p className={styles.hint}>
          <ShieldCheck aria-hidden />
          <Trans>You pay on the next step. Nothing is charged yet.</Trans>
        </p>
      )}
    </div>
  );
}
