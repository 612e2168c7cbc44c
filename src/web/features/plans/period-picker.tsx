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

/** The periods that the plans have, in the order of their length. */
export function periodsOf(plans: readonly Plan[]): Period[] {
  const found = new Set(plans.map(({ days }) => periodOf(days)));
  return (['month', 'halfYear', 'year'] as const).filter((period) => found.has(period));
}

/** The first view: what the shop recommends, else the shortest. */
export function firstPeriod(plans: readonly Plan[]): Period | undefined {
  const recommended = plans.find(({ id }) => id === recommendedId(plans));
  return (recommended && periodOf(recommended.days)) ?? periodsOf(plans)[0];
}

/** Which period to compare. Unchecked by React: the style sheet reads the radio, so it works before any script does. */
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
