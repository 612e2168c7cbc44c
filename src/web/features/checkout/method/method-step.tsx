import { Trans, useLingui } from '@lingui/react/macro';
import { ShieldCheck } from '#web/ui/icon.tsx';
import styles from '../checkout.module.css';
import { CurrencySelect } from '../price/currency-select.tsx';
import { OtherCurrencies } from './other-currencies.tsx';
import type { Choices } from '../use-choices.ts';
import type { Purchase } from '../price/use-purchase.ts';
import type { Elements } from '#web/ui/elements.ts';
import type { ReactNode } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import { formatPercent } from '#contract/numbers.ts';
import { roundPercentDown } from '#contract/plan.ts';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { CardMarks, MethodIcon } from './method-icon.tsx';

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

interface MethodListProps {
  methods: readonly PaymentMethod[];
  value: string;
  onChange: (code: string) => void;
  /** of the chosen method */
  details: ReactNode;
}

/** The payment methods, with their discounts and durations. */
function MethodList({ methods, value, onChange, details }: MethodListProps) {
  const { t } = useLingui();
  return (
    <ChoiceGroup
      legend={t`Payment method`}
      name="method"
      value={value}
      onChange={onChange}
      unfolded={details}
      options={methods.map((method) => ({
        value: method.code,
        label: method.name,
        icon: <MethodIcon code={method.code} icon={method.icon} />,
        detail: (
          <>
            <MethodDetail method={method} />
            {method.icon === 'card' ? <CardMarks currencies={method.currencies} /> : null}
          </>
        ),
        ...(method.discount > 0 ? { badge: <DiscountPill percent={method.discount} /> } : {}),
      }))}
    />
  );
}

function MethodDetail({ method }: { method: PaymentMethod }) {
  const { maxInstallments, settles } = method;
  if (maxInstallments > 1 && settles === 'instant') {
    return <Trans>Confirmed at once. Up to {maxInstallments} installments.</Trans>;
  }
  switch (settles) {
    case 'instant':
      return <Trans>Confirmed at once</Trans>;
    case 'minutes':
      return <Trans>Confirmed within minutes of paying</Trans>;
    case 'days':
      return <Trans>Takes up to 3 business days</Trans>;
  }
}

function DiscountPill({ percent }: { percent: number }) {
  const { i18n } = useLingui();
  const share = formatPercent(roundPercentDown(percent), i18n.locale);
  return (
    <Pill tone="success">
      <Trans>{share} off</Trans>
    </Pill>
  );
}
