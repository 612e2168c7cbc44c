import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Money } from '#contract/money.ts';
import type { RenewalStatus } from '#contract/renewal.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** The agreed price and period without a line break: `R$ 49.90 every 30 days`. */
export function RecurringPrice({ price, days }: { price: Money; days: number }) {
  const amount = <MoneyText money={price} language={useLanguage()} />;
  return (
    <Trans>
      {amount} every <Plural value={days} one="# day" other="# days" />
    </Trans>
  );
}

/** A date from epoch milliseconds; `short` for narrow places. */
export function DateText({ at, short = false }: { at: number; short?: boolean }) {
  const { i18n } = useLingui();
  return <span>{dayText(i18n, at, short ? 'medium' : 'long')}</span>;
}

interface RenewalWords {
  readonly label: MessageDescriptor;
  readonly tone: 'neutral' | 'success' | 'danger' | 'brand';
}

/** The label of each renewal state, the same everywhere. */
export const renewalLabels = {
  on: { label: msg`On`, tone: 'success' },
  off: { label: msg`Off`, tone: 'neutral' },
  renewing: { label: msg`Renewing now`, tone: 'brand' },
  pastDue: { label: msg`Payment failed`, tone: 'danger' },
  ended: { label: msg`Ended`, tone: 'neutral' },
} satisfies Record<RenewalStatus, RenewalWords>;
