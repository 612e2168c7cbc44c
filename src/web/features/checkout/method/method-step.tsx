import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ShieldCheck } from '../../../ui/icon.tsx';
import styles from '../checkout.module.css';
import { CurrencySelect } from '../price/currency-select.tsx';
import { MethodList } from './method-list.tsx';
import type { Choices } from '../use-choices.ts';
import type { Purchase } from '../price/use-purchase.ts';

interface MethodStepProps {
  purchase: Purchase;
  currencies: readonly string[];
  choices: Choices;
  children: ReactNode;
}

/** The first step: in which currency, and how. */
export function MethodStep({ purchase, currencies, choices, children }: MethodStepProps) {
  return (
    <div className={styles.main}>
      {children}
      <CurrencySelect currencies={currencies} currency={purchase.input.currency} choices={choices} />
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
