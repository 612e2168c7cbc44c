import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { listPlans, pricePerMonth, type Plan } from '#contract/plan.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useSession } from '#web/platform/session/session.ts';
import { checkoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { Button } from '#web/ui/button.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from '../checkout.module.css';
import type { CheckoutSettings } from '../checkout-settings.ts';
import type { Purchase } from './use-purchase.ts';

interface PlanChoiceProps extends Pick<CheckoutSettings, 'plan' | 'repay' | 'step' | 'choices' | 'carried'> {
  purchase: Pick<Purchase, 'input' | 'method'>;
  children: Elements;
}

/** Names the plan, and lets the customer choose another one. An order that is repaid keeps its plan. */
export function PlanChoice(props: PlanChoiceProps) {
  const { plan, repay, carried } = props;
  const [isOpen, setOpen] = useState(false);
  const isFixed = useSession()?.onlyPlanId !== undefined || repay !== undefined;
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (carried.consumePlanChange()) ref.current?.focus();
  }, [carried]);
  return (
    <div className={styles.planChoice}>
      <p className={styles.chosen}>
        <PlanName plan={plan} />
        {isFixed ? null : (
          <Button ref={ref} variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Trans>
              Change<span className="sr-only"> {plan.name}</span>
            </Trans>
          </Button>
        )}
      </p>
      {isOpen ? <Plans {...props} /> : null}
      {props.children}
    </div>
  );
}

function PlanName({ plan }: { plan: Pick<Plan, 'name' | 'devices' | 'days'> }) {
  return (
    <span className={styles.chosenName}>
      <span translate="no">{plan.name}</span>
      <span className={styles.planTerm}>
        <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
        <span>{dot}</span>
        <Trans>
          for <Plural value={plan.days} one="# day" other="# days" />
        </Trans>
      </span>
    </span>
  );
}

/** The plans that this customer can buy, by number of devices, then by length. */
function Plans(props: PlanChoiceProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { currency } = props.purchase.input;
  const { defaultCurrency } = useBrand().siteConfig.payment;
  const other = currency === defaultCurrency ? {} : { currency };
  const { data, isError } = useQuery(
    q(listPlans, { query: { language, ...other, mine: '1' } }, { quiet: true, personal: true }),
  );
  const choose = useChoosePlan(props);
  if (isError && !data) return <Problem>{t`We couldn’t load the plans.`}</Problem>;
  const plans = (data?.plans ?? []).filter(({ refusal }) => !refusal);
  const sorted = plans.toSorted((one, next) => one.devices - next.devices || one.days - next.days);
  return (
    <ul className={styles.plans} aria-label={t`Plans`} aria-busy={!data}>
      {sorted.map((plan) => (
        <li key={plan.id}>
          <Button
            variant="secondary"
            wide
            aria-current={plan.id === props.plan.id ? 'true' : undefined}
            onClick={() => choose(plan)}
          >
            <PlanName plan={plan} />
            <span className={styles.planPrice}>
              <MoneyText money={plan.price} language={language} />
              <span className={styles.planTerm}>
                <Trans>
                  <MoneyText money={pricePerMonth(plan)} language={language} /> a month
                </Trans>
              </span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Continues with another plan in place: method, currency, installments and coupon apply to it, too. */
function useChoosePlan({ step, choices, carried, purchase }: PlanChoiceProps): (plan: Pick<Plan, 'id'>) => void {
  const navigate = useNavigate();
  const { method, input } = purchase;
  return ({ id: planId }) => {
    const { currency } = input;
    const { installments, discountCode } = choices.chosen;
    checkoutDraft(planId).set({ methodCode: method.code, currency, installments, discountCode });
    carried.recordPlanChange();
    void navigate({ to: '/payment', search: { planId, currency, step }, replace: true, resetScroll: false });
  };
}
