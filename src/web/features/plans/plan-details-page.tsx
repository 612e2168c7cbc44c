import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Money } from '../../../contract/money.ts';
import { savedPercent, type PlanDetail } from '../../../contract/plan.ts';
import { useLanguage } from '../../i18n/active.ts';
import { Card } from '../../ui/card.tsx';
import { ArrowLeft, Check } from '../../ui/icon.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { Pill } from '../../ui/pill.tsx';
import { StickyBar } from '../../ui/sticky-bar.tsx';
import { BuyButton } from './buy-button.tsx';
import { CurrencyPicker, usePriceIn } from './currency-picker.tsx';
import { MethodDiscounts } from './method-discounts.tsx';
import styles from './plan-details-page.module.css';
import lines from './plan-lines.module.css';
import { PlanPrice } from './plan-price.tsx';
import { recommendedId } from './recommended.ts';
import { usePlan } from './use-plan.ts';

/** One plan: what it is, what is in it, what it costs, and the way to buy it. */
export function PlanDetailsPage({ planId }: { planId: string }) {
  const language = useLanguage();
  const { plan, plans, currencies, discounts } = usePlan(planId);
  const chosen = usePriceIn(plan);
  return (
    <div className={styles.page}>
      <Link to="/pricing-table" className={styles.back}>
        <ArrowLeft aria-hidden />
        <Trans>All plans</Trans>
      </Link>
      <About plan={plan} recommended={plan.id === recommendedId(plans)} />
      <Card as="aside" className={styles.buy}>
        <PlanPrice plan={plan} price={chosen.price} saved={savedPercent(plan, plans)} language={language} />
        {/* a method may not know the other currency, so nothing is promised there */}
        {chosen.currency === plan.price.currency ? <MethodDiscounts discounts={discounts} language={language} /> : null}
        <CurrencyPicker currencies={currencies} chosen={chosen} />
        <div className={styles.here}>
          <BuyButton planId={plan.id} currency={chosen.currency} wide />
        </div>
      </Card>
      <UnderTheThumb plan={plan} price={chosen.price} language={language} />
    </div>
  );
}

function About({ plan, recommended }: { plan: PlanDetail; recommended: boolean }) {
  return (
    <div className={styles.about}>
      {recommended ? (
        <Pill tone="brand">
          <Trans>Recommended</Trans>
        </Pill>
      ) : null}
      <h1>{plan.name}</h1>
      <p className={styles.lead}>{plan.description}</p>
      <h2 className={styles.subtitle}>
        <Trans>What you get</Trans>
      </h2>
      <ul className={lines.lines}>
        {plan.features.map((feature) => (
          <li key={feature} className={lines.line}>
            <Check aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** On a phone the price and the button stay in sight. */
function UnderTheThumb({ plan, price, language }: { plan: PlanDetail; price: Money; language: string }) {
  return (
    <div className={styles.below}>
      <StickyBar>
        <span className={styles.total}>
          <strong>
            <MoneyText money={price} language={language} />
          </strong>
          <Trans>
            for <Plural value={plan.days} one="# day" other="# days" />
          </Trans>
        </span>
        <BuyButton planId={plan.id} currency={price.currency} />
      </StickyBar>
    </div>
  );
}
