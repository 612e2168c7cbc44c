import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
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
      <PlanLinks plan={plan} recommended={recommended} />
    </li>
  );
}

/** The link to the checkout and the one to the details; a plan that cannot be bought has details only. */
function PlanLinks({ plan, recommended }: Pick<PlanCardProps, 'plan' | 'recommended'>) {
  const { id, price, refusal } = plan;
  return (
    <div className={styles.links}>
      {refusal ? null : (
        <Link
          to="/payment"
          search={{ planId: id, currency: price.currency }}
          preload={false}
          className={buttonClass({ variant: recommended ? 'primary' : 'secondary', wide: true })}
        >
          <Trans>
            Choose<span className="sr-only"> {plan.name}</span>
          </Trans>
        </Link>
      )}
      <Link
        to="/plan-details/$id"
        params={{ id }}
        className={buttonClass({ variant: refusal ? 'secondary' : 'quiet', wide: true })}
      >
        {refusal ? (
          <Trans>Plan details</Trans>
        ) : (
          <Trans>
            Details<span className="sr-only"> of {plan.name}</span>
          </Trans>
        )}
      </Link>
    </div>
  );
}
