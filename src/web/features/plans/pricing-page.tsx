import { Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import { useSession } from '../../session/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { LateStateArt } from '../../ui/art/late-state-art.tsx';
import { SavedStamp } from '../../ui/saved-stamp.tsx';
import { StatePage } from '../../ui/state-page.tsx';
import { InEveryPlan } from './in-every-plan.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { PlanCard } from './plan-card.tsx';
import { pricingQueries } from './pricing-queries.ts';
import { recommendedId } from './recommended.ts';
import styles from './pricing-page.module.css';

interface PricingPageProps {
  /** the customer was sent here because the plan they wanted cannot be bought now (6000) */
  refused?: boolean | undefined;
  /** when the plans were saved, if this is a saved copy; epoch milliseconds */
  savedAt?: number | undefined;
}

/** All plans, by period. */
export function PricingPage({ refused = false, savedAt }: PricingPageProps) {
  const language = useLanguage();
  const [plansOf] = pricingQueries(useDeferredValue(language));
  const { plans } = useSuspenseQuery(plansOf).data;
  const anonymous = useSession() === null;
  if (plans.length === 0) return <NoPlans />;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>
          <Trans>Choose your plan</Trans>
        </h1>
        {savedAt === undefined ? null : <SavedStamp at={savedAt} language={language} />}
        {refused ? <CannotBuy /> : null}
        <div className={styles.choose}>
          <PeriodPicker plans={plans} language={language} />
          <p className={styles.note} data-signed-in={anonymous ? undefined : ''}>
            <Trans>Final price may vary after login</Trans>
          </p>
        </div>
      </header>
      <ul className={styles.grid}>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            all={plans}
            recommended={plan.id === recommendedId(plans)}
            language={language}
          />
        ))}
        <InEveryPlan />
      </ul>
    </div>
  );
}

function CannotBuy() {
  return (
    <Alert tone="warning" title={<Trans>You cannot buy this plan right now</Trans>}>
      <Trans>
        While your plan for several devices is active, a plan for one device has to wait until it ends. The other plans
        are open to you.
      </Trans>
    </Alert>
  );
}

function NoPlans() {
  return (
    <StatePage art={<LateStateArt kind="empty" />} title={<Trans>There are no plans on sale right now</Trans>}>
      <p>
        <Trans>Please come back a little later.</Trans>
      </p>
    </StatePage>
  );
}
