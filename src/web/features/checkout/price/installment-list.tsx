import { Fragment } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { InstallmentOption } from '../../../../contract/billing.ts';
import { formatMoney } from '../../../../contract/money.ts';
import { useLanguage } from '../../../i18n/active.ts';
import { ChoiceGroup } from '../../../ui/choice.tsx';
import { MoneyText } from '../../../ui/money-text.tsx';
import styles from '../checkout.module.css';
import { installmentGroups } from './installments.ts';

interface InstallmentListProps {
  options: readonly InstallmentOption[];
  value: number;
  onChange: (count: number) => void;
}

/** In how many parts: the amount of each, with or without interest, and the total. */
export function InstallmentList({ options, value, onChange }: InstallmentListProps) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <div className={styles.installments}>
      <ChoiceGroup
        legend={t`Installments`}
        name="installments"
        value={String(value)}
        onChange={(count) => onChange(Number(count))}
        options={options.map((option) => ({
          value: String(option.count),
          label: <Parts option={option} />,
          detail: <Interest option={option} />,
          badge: <MoneyText money={option.total} language={language} />,
        }))}
      />
    </div>
  );
}

/** `3 × R$ 16.63`; where the parts differ by a cent, `1 × R$ 16.64 + 2 × R$ 16.63`. */
function Parts({ option }: { option: InstallmentOption }) {
  const language = useLanguage();
  return installmentGroups(option).map(({ times, each }, index) => (
    <Fragment key={times}>
      {index > 0 ? ' + ' : null}
      <span className="num">{`${times} × ${formatMoney(each, language)}`}</span>
    </Fragment>
  ));
}

function Interest({ option }: { option: InstallmentOption }) {
  const { i18n } = useLingui();
  if (option.count === 1) return <Trans>In full</Trans>;
  if (option.interestFree) return <Trans>Interest-free</Trans>;
  const rate = i18n.number(option.rate, { style: 'percent', maximumFractionDigits: 2 });
  return <Trans>With interest of {rate} a month</Trans>;
}
