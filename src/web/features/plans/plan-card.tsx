import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { periodOf, savedPercent, type Plan } from '#contract/plan.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MonitorSmartphone } from '#web/ui/icon.tsx';
import styles from './plan-card.module.css';
import lines from './plan-lines.module.css';
import { MethodDiscounts, PlanBadge, PlanPill, PlanPrice } from './plan-price.tsx';

interface PlanCardProps {
  plan: Plan;
  all: readonly Plan[];
  recommended: boolean;
  language: string;
}

/** A plan in the list: the same lines in the same order, so that cards can be compared. */
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
          <PlanBadge plan={plan} as="reason" />
        ) : (
          <MethodDiscounts discounts={plan.discounts} language={language} />
        )}
      </div>
      <Link
        to="/plan-details/$id"
        params={{ id: plan.id }}
        className={buttonClass({ variant: recommended ? 'primary' : 'secondary', wide: true })}
      >
        <LinkLabel plan={plan} />
      </Link>
    </li>
  );
}

/** The label of the link: a plan that cannot be bought has details only. */
function LinkLabel({ plan }: Pick<PlanCardProps, 'plan'>) {
  if (plan.refusal) return <Trans>Plan details</Trans>;
  return (
    <Trans>
      Choose<span className="sr-only"> {plan.name}</span>
    </Trans>
  );
}
