import { Trans, useLingui } from '@lingui/react/macro';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { periodOf, recommendedId, savedPercent, type Period, type Plan } from '#contract/plan.ts';
import { Segmented } from '#web/ui/segmented.tsx';
import { PercentText } from './method-discounts.tsx';

const names: Readonly<Record<Period, MessageDescriptor>> = {
  month: msg`Month`,
  halfYear: msg`Half-year`,
  year: msg`Year`,
};

/** The periods of the plans, by length. */
export function periodsOf(plans: readonly Plan[]): Period[] {
  const found = new Set(plans.map(({ days }) => periodOf(days)));
  return (['month', 'halfYear', 'year'] as const).filter((period) => found.has(period));
}

/** The default period: that of the recommended plan, else the shortest. */
export function firstPeriod(plans: readonly Plan[]): Period | undefined {
  const recommended = plans.find(({ id }) => id === recommendedId(plans));
  return (recommended && periodOf(recommended.days)) ?? periodsOf(plans)[0];
}

/**
 * Selects the period to compare. Uncontrolled: the style sheet reads the radio buttons, so it works before hydration.
 */
export function PeriodPicker({ plans, language }: { plans: readonly Plan[]; language: string }) {
  const { t, i18n } = useLingui();
  const periods = periodsOf(plans);
  if (periods.length < 2) return null;
  const most = (period: Period) =>
    Math.max(...plans.filter(({ days }) => periodOf(days) === period).map((plan) => savedPercent(plan, plans)));
  return (
    <Segmented
      legend={t`Length of the plan`}
      name="period"
      defaultValue={firstPeriod(plans)}
      options={periods.map((period) => ({
        value: period,
        label: i18n._(names[period]),
        badge: most(period) > 0 && (
          <Trans>
            up to −<PercentText value={most(period)} language={language} />
          </Trans>
        ),
      }))}
    />
  );
}
