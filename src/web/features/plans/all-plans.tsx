import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { pricePerMonth, savedPercent, type Plan } from '#contract/plan.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { PlanBadge, PlanPill, PercentText } from './plan-price.tsx';
import styles from './pricing-page.module.css';

interface AllPlansProps {
  plans: readonly Plan[];
  recommended: string | undefined;
  language: string;
}

/** All plans, whatever period is selected above: by number of devices, then by length. */
export function AllPlans({ plans, recommended, language }: AllPlansProps) {
  const counts = [...new Set(plans.map((plan) => plan.devices))].toSorted((one, other) => one - other);
  const groups = counts.map((devices) => ({
    devices,
    plans: plans.filter((plan) => plan.devices === devices).toSorted((one, other) => one.days - other.days),
  }));
  return (
    <section className={styles.all} aria-labelledby="all-plans">
      <h2 id="all-plans" className={styles.allTitle}>
        <Trans>Plan comparison</Trans>
      </h2>
      <div className={styles.groups}>
        {groups.map((group) => (
          <div key={group.devices} className={styles.group}>
            <h3 className={styles.devices}>
              <Plural value={group.devices} one="# device at a time" other="# devices at the same time" />
            </h3>
            <ul>
              {group.plans.map((plan) => (
                <li key={plan.id}>
                  <Row plan={plan} all={plans} recommended={plan.id === recommended} language={language} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

interface RowProps {
  plan: Plan;
  all: readonly Plan[];
  recommended: boolean;
  language: string;
}

/** The whole row is a link, which is easy to hit on a phone and with a remote control. */
function Row({ plan, all, recommended, language }: RowProps) {
  const saved = savedPercent(plan, all);
  return (
    <Link
      to="/plan-details/$id"
      params={{ id: plan.id }}
      className={styles.row}
      data-refused={plan.refusal ? '' : undefined}
    >
      <span className={styles.rowName}>
        <b translate="no">{plan.name}</b>
        {plan.refusal ? (
          <span className={styles.wait}>
            <PlanBadge plan={plan} as="day" />
          </span>
        ) : saved > 0 ? (
          <span className={styles.saved}>
            <span>−</span>
            <PercentText value={saved} language={language} />
          </span>
        ) : null}
        <PlanPill plan={plan} recommended={recommended} />
      </span>
      <span className={styles.rowPrice}>
        <b>
          <MoneyText money={plan.price} language={language} />
        </b>
        <span className={styles.monthly}>
          <Trans>
            <MoneyText money={pricePerMonth(plan)} language={language} /> a month
          </Trans>
        </span>
      </span>
    </Link>
  );
}
