import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { periodOf, savedPercent, type Plan } from '../../../contract/plan.ts';
import { buttonClass } from '../../ui/button.tsx';
import { MonitorSmartphone } from '../../ui/icon.tsx';
import { Pill } from '../../ui/pill.tsx';
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

/** One plan among others: the same lines in the same order, so that the eye compares across. */
export function PlanCard({ plan, all, recommended, language }: PlanCardProps) {
  return (
    <li className={styles.card} data-period={periodOf(plan.days)} data-recommended={recommended || undefined}>
      <div className={styles.head}>
        <h2 className={styles.name}>{plan.name}</h2>
        {recommended ? (
          <Pill tone="brand">
            <Trans>Recommended</Trans>
          </Pill>
        ) : null}
      </div>
      <p className={lines.line}>
        <MonitorSmartphone aria-hidden />
        <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
      </p>
      <PlanPrice plan={plan} saved={savedPercent(plan, all)} language={language} />
      <div>
        <MethodDiscounts discounts={plan.discounts} language={language} />
      </div>
      <Link
        to="/plan-details/$id"
        params={{ id: plan.id }}
        className={buttonClass({ variant: recommended ? 'primary' : 'secondary', wide: true })}
      >
        <Trans>
          Choose<span className="sr-only"> {plan.name}</span>
        </Trans>
      </Link>
    </li>
  );
}
