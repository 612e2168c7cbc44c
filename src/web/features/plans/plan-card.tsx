import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { periodOf, savedPercent, type Plan } from '#contract/plan.ts';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MonitorSmartphone } from '#web/ui/icon.tsx';
import { late } from '#web/ui/late.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { MethodDiscounts } from './method-discounts.tsx';
import styles from './plan-card.module.css';
import { PlanPrice } from './plan-price.tsx';
import lines from './plan-lines.module.css';

interface PlanCardProps {
  plan: Plan;
  all: readonly Plan[];
  recommended: boolean;
  language: string;
}

/** What a plan is to the customer who is signed in: the HTML of everybody has none of it, so its words come with it. */
export const PlanMark = late(
  async () => (await withWords('private', import('./customer/plan-mark-words.tsx'))).PlanMarkWords,
);

/** The one word about a plan: that it runs, or that the shop recommends it. */
export function PlanPill({ plan, recommended }: Pick<PlanCardProps, 'plan' | 'recommended'>) {
  if (plan.yours) return <PlanMark plan={plan} as="pill" />;
  return recommended ? (
    <Pill tone="brand">
      <Trans>Recommended</Trans>
    </Pill>
  ) : null;
}

/** One plan among others: the same lines in the same order, so that the eye compares across. */
export function PlanCard({ plan, all, recommended, language }: PlanCardProps) {
  const { refusal } = plan;
  return (
    <li
      className={styles.card}
      data-period={periodOf(plan.days)}
      data-recommended={recommended || undefined}
      data-refused={refusal ? '' : undefined}
    >
      <div className={styles.head}>
        <h2 className={styles.name} translate="no">
          {plan.name}
        </h2>
        <PlanPill plan={plan} recommended={recommended} />
      </div>
      <p className={lines.line}>
        <MonitorSmartphone aria-hidden />
        <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
      </p>
      <PlanPrice plan={plan} saved={savedPercent(plan, all)} language={language} />
      <div>
        {refusal ? (
          <PlanMark plan={plan} as="reason" />
        ) : (
          <MethodDiscounts discounts={plan.discounts} language={language} />
        )}
      </div>
      <Link
        to="/plan-details/$id"
        params={{ id: plan.id }}
        className={buttonClass({ variant: recommended ? 'primary' : 'secondary', wide: true })}
      >
        <Words plan={plan} />
      </Link>
    </li>
  );
}

/** What cannot be bought can be read about. */
function Words({ plan }: Pick<PlanCardProps, 'plan'>) {
  if (plan.refusal) return <Trans>Plan details</Trans>;
  return (
    <Trans>
      Choose<span className="sr-only"> {plan.name}</span>
    </Trans>
  );
}
