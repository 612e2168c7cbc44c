import { Trans, useLingui } from '@lingui/react/macro';
import type { InstallmentOption } from '#contract/billing.ts';
import { installmentGroups, partsInWords } from '#contract/installment-parts.ts';
import { formatMoney } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Select } from '#web/ui/select.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';

interface InstallmentSelectProps {
  options: readonly InstallmentOption[];
  value: number;
  onChange: (count: number) => void;
}

/** Selects the installments: the amount of each, with or without interest, and the total below. */
export function InstallmentSelect({ options, value, onChange }: InstallmentSelectProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const chosen = options.find(({ count }) => count === value);
  const words = ({ count, amount, interestFree }: InstallmentOption) => {
    const part = formatMoney(amount, language);
    if (count === 1) return t`${part} in full`;
    return interestFree ? t`${count} × ${part} interest-free` : t`${count} × ${part} with interest`;
  };
  return (
    <Select
      label={t`Installments`}
      name="installments"
      value={String(value)}
      onChange={(event) => onChange(Number(event.target.value))}
      hint={chosen && chosen.count > 1 ? <InstallmentTotal option={chosen} /> : undefined}
    >
      {options.map((option) => (
        <option key={option.count} value={option.count}>
          {words(option)}
        </option>
      ))}
    </Select>
  );
}

/** Which installment differs if they differ by a cent, and the amount of interest if there is any. */
function InstallmentTotal({ option }: { option: InstallmentOption }) {
  const language = useLanguage();
  const total = <MoneyText money={option.total} language={language} />;
  if (!option.interestFree) {
    const rate = formatPercent(option.rate * 100, language, 2);
    return (
      <Trans>
        {total} in all, with interest of {rate} a month
      </Trans>
    );
  }
  if (installmentGroups(option).length === 1) return <Trans>{total} in all</Trans>;
  const parts = <Untranslated text={partsInWords(option, language)} />;
  return (
    <Trans>
      {total} in all: {parts}
    </Trans>
  );
}
