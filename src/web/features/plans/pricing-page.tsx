import { useDeferredValue } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { periodOf, recommendedPlanId, savedPercent, type Plan, type Period } from '#contract/plan.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useSession } from '#web/platform/session/session.ts';
import { LateStateArt } from '#web/ui/art/lazy-state-art.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { SavedStamp } from '#web/ui/saved-stamp.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { DeletionNoticeSlot } from './deletion-notice-slot.tsx';
import { Check } from '#web/ui/icon.tsx';
import lines from './plan-lines.module.css';
import { PlanCard } from './plan-card.tsx';
import { PercentText } from './plan-price.tsx';
import { usePlans } from './pricing-queries.ts';
import styles from './pricing-page.module.css';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Segmented } from '#web/ui/segmented.tsx';

const RefusedNotice = lazyPart(
  async () => (await withMessages('private', import('./customer/refused-notice.tsx'))).RefusedNotice,
);

const AllPlans = lazyPart(async () => (await import('./all-plans.tsx')).AllPlans);
const CurrencyPicker = lazyPart(async () => (await import('./currency-picker.tsx')).CurrencyPicker);

interface PricingPageProps {
  /**
   * the customer was redirected here because the wanted plan cannot be bought now (`cannotBuyPlan`, `planUnavailable`)
   */
  refused?: { readonly errCode: number; readonly planId: string | undefined } | undefined;
  /** when the plans were saved, if this is a saved copy; epoch milliseconds */
  savedAt?: number | undefined;
}

/** All plans, by period and in one list. */
export function PricingPage(props: PricingPageProps) {
  const language = useLanguage();
  const plans = usePlans();
  const cards = useCards(plans);
  if (plans.length === 0) return <NoPlans />;
  const recommended = recommendedPlanId(plans);
  return (
    <div className={styles.page}>
      <Head {...props} plans={plans} />
      <ul className={styles.grid}>
        {cards.map((plan) => (
          <PlanCard key={plan.id} plan={plan} all={plans} recommended={plan.id === recommended} language={language} />
        ))}
        <InEveryPlan />
      </ul>
      <AllPlans plans={plans} recommended={recommended} language={language} />
    </div>
  );
}

/**
 * The plans to render as cards: after a client-side navigation those of the first period at once, and the hidden others
 * later.
 */
function useCards(plans: readonly Plan[]): readonly Plan[] {
  const alive = useHydrated();
  const all = useDeferredValue(true, !alive);
  if (all) return plans;
  const first = firstPeriod(plans);
  return plans.filter(({ days }) => periodOf(days) === first);
}

function Head({ refused, savedAt, plans }: PricingPageProps & { plans: readonly Plan[] }) {
  const language = useLanguage();
  const anonymous = useSession() === null;
  const alive = useHydrated();
  return (
    <header className={styles.head}>
      <h1>
        <Trans>Choose your plan</Trans>
      </h1>
      {refused ? (
        // its messages are for customers only, and are loaded after those of the page
        <div className={styles.notice}>{alive ? <RefusedNotice {...refused} plans={plans} /> : null}</div>
      ) : null}
      <DeletionNoticeSlot />
      <div className={styles.choose}>
        <PeriodPicker plans={plans} language={language} />
        <div className={styles.currency}>
          {/* unusable before hydration, so it is added then, into its reserved space */}
          {alive ? <CurrencyPicker value={plans[0]?.price.currency ?? ''} bare /> : null}
        </div>
        {savedAt === undefined ? (
          <p className={styles.note} data-signed-in={anonymous ? undefined : ''}>
            <Trans>Final price may vary after login</Trans>
          </p>
        ) : (
          <SavedStamp at={savedAt} language={language} />
        )}
      </div>
      {savedAt === undefined && anonymous ? (
        <p className={styles.reason}>
          <Trans>Your discounts are added after you log in.</Trans>
        </p>
      ) : null}
    </header>
  );
}

/** Features of all plans, shown once, so that the cards contain only differences. */
function InEveryPlan() {
  return (
    <li className={styles.every}>
      <h2 className={styles.everyTitle}>
        <Trans>In every plan</Trans>
      </h2>
      <ul className={lines.lines}>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Your library in the cloud</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Resume where you stopped</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>Android phones, TV boxes and smart TVs</Trans>
        </li>
        <li className={lines.line}>
          <Check aria-hidden />
          <Trans>A new plan adds its days to the ones you have</Trans>
        </li>
      </ul>
    </li>
  );
}

function NoPlans() {
  return (
    <StatePage art={<LateStateArt kind="empty" />} title={<Trans>There are no plans on sale right now</Trans>}>
      <p>
        <Trans>Please check back later.</Trans>
      </p>
    </StatePage>
  );
}

const names: Readonly<Record<Period, MessageDescriptor>> = {
  month: msg`Month`,
  halfYear: msg`Half-year`,
  year: msg`Year`,
};

/** The periods of the plans, by length. */
function periodsOf(plans: readonly Plan[]): Period[] {
  const found = new Set(plans.map(({ days }) => periodOf(days)));
  return (['month', 'halfYear', 'year'] as const).filter((period) => found.has(period));
}

/** The default period: that of the recommended plan, else the shortest. */
function firstPeriod(plans: readonly Plan[]): Period | undefined {
  const recommended = plans.find(({ id }) => id === recommendedPlanId(plans));
  return (recommended && periodOf(recommended.days)) ?? periodsOf(plans)[0];
}

/**
 * Selects the period to compare. Uncontrolled: the style sheet reads the radio buttons, so it works before hydration.
 */
function PeriodPicker({ plans, language }: { plans: readonly Plan[]; language: string }) {
  const { t, i18n } = useLingui();
  const periods = periodsOf(plans);
  if (periods.length < 2) return null;
  const most = (period: Period) =>
    Math.max(...plans.filter(({ days }) => periodOf(days) === period).map((plan) => savedPercent(plan, plans)));
  return (
    <Segmented
      legend={t`Plan length`}
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
