import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { periodOf, savedPercent, type Plan } from '#contract/plan.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MonitorSmartphone } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './plan-card.module.css';
import { PlanPrice, MethodDiscounts } from './plan-price.tsx';
import lines from './plan-lines.module.css';

interface PlanCardProps {
  plan: Plan;
  all: readonly Plan[];
  recommended: boolean;
  language: string;
}

/** The plan's state for a logged-in customer: it is not in the server's HTML, so its messages are loaded with it. */
export const PlanBadge = lazyPart(
  async () => (await withMessages('private', import('./customer/plan-badge.tsx'))).PlanBadgeText,
);

/** The label of a plan: it is the current one, or the recommended one. */
export function PlanPill({ plan, recommended }: Pick<PlanCardProps, 'plan' | 'recommended'>) {
  if (plan.yours) return <PlanBadge plan={plan} as="pill" />;
  return recommended ? (
    <Pill tone="brand">
      <Trans>Recommended</Trans>
    </Pill>
  ) : null;
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
