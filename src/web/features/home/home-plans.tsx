import { Plural, Trans } from '@lingui/react/macro';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useDeferredValue } from 'react';
import { periodDays } from '#contract/limits.ts';
import { pricePerMonth, type Plan } from '#contract/plan.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './home-page.module.css';
import { plansQuery } from './home-queries.ts';
import type { Elements } from '#web/ui/elements.ts';

/** More plans than this are compared on the pricing page. */
const mostPlans = 4;

/** The cheapest, the recommended, and the cheapest plan for several devices, by price; all plans if they are few. */
function shownPlans(plans: readonly Plan[]): Plan[] {
  const byPrice = plans.toSorted((one, other) => one.price.amount - other.price.amount);
  if (plans.length <= mostPlans) return byPrice;
  const chosen = new Set([
    byPrice[0],
    byPrice.find(({ recommended }) => recommended),
    byPrice.find(({ devices }) => devices > 1),
  ]);
  return byPrice.filter((plan) => chosen.has(plan));
}

interface HomePlansProps {
  /** the page starts with the plans */
  first?: boolean;
  /** content below the title */
  children?: Elements;
}

/** The plans with their prices. */
export function HomePlans({ first, children }: HomePlansProps) {
  const language = useLanguage();
  const { plans } = useSuspenseQuery(plansQuery(useDeferredValue(language))).data;
  const [Title, PlanTitle] = first ? (['h1', 'h2'] as const) : (['h2', 'h3'] as const);
  if (plans.length === 0 && !first) return null;
  return (
    <section className={styles.words}>
      <Title>
        <Trans>Choose a plan and start watching</Trans>
      </Title>
      {children}
      <ul className={styles.plans}>
        {shownPlans(plans).map((plan) => (
          <PlanOfHome key={plan.id} plan={plan} language={language} title={PlanTitle} />
        ))}
      </ul>
      <div>
        <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
          <Trans>Compare all plans</Trans>
        </Link>
      </div>
    </section>
  );
}

function PlanOfHome({ plan, language, title: Title }: { plan: Plan; language: string; title: 'h2' | 'h3' }) {
  return (
    <li className={styles.plan} data-recommended={plan.recommended || undefined}>
      <div className={styles.head}>
        <Title>
          <span translate="no">{plan.name}</span>
        </Title>
        {plan.recommended ? (
          <Pill tone="brand">
            <Trans>Recommended</Trans>
          </Pill>
        ) : null}
      </div>
      <span>
        <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
      </span>
      <Price plan={plan} language={language} />
      <Link
        to="/plan-details/$id"
        params={{ id: plan.id }}
        className={buttonClass({ variant: plan.recommended ? 'primary' : 'secondary', wide: true })}
      >
        <Trans>
          Choose<span className="sr-only"> {plan.name}</span>
        </Trans>
      </Link>
    </li>
  );
}

/** Price and period, and the price per month if the period is not a month. */
function Price({ plan, language }: { plan: Plan; language: string }) {
  return (
    <>
      <strong>
        <MoneyText money={plan.price} language={language} />
      </strong>
      <span>
        <Trans>
          for <Plural value={plan.days} one="# day" other="# days" />
        </Trans>
        {plan.days === periodDays.month ? null : (
          <>
            <span>{dot}</span>
            <Trans>
              <MoneyText money={pricePerMonth(plan)} language={language} /> a month
            </Trans>
          </>
        )}
      </span>
    </>
  );
}
