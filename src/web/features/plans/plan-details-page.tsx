import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { Money } from '#contract/money.ts';
import { recommendedPlanId, savedPercent, type PlanDetail } from '#contract/plan.ts';
import { useWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ArrowLeft, Check } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { PlanBadge, PlanPill, PlanPrice, MethodDiscounts } from './plan-price.tsx';
import { SavedStamp } from '#web/ui/saved-stamp.tsx';
import { StickyBar } from '#web/ui/sticky-bar.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { DeletionNoticeSlot } from './deletion-notice-slot.tsx';
import styles from './plan-details-page.module.css';
import lines from './plan-lines.module.css';
import { currenciesQuery, usePlans } from './pricing-queries.ts';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { convertQuery, discountsQuery, planQuery } from './plan-queries.ts';

const CurrencyPicker = lazyPart(async () => (await import('./currency-picker.tsx')).CurrencyPicker);

interface PlanDetailsPageProps {
  planId: string;
  /** when the shown plan was saved, in epoch milliseconds; undefined when it is fresh */
  savedAt: number | undefined;
}

/** One plan: its description, contents, price, and the buy button. */
export function PlanDetailsPage({ planId, savedAt }: PlanDetailsPageProps) {
  const language = useLanguage();
  const { plan, plans, saved, discounts } = usePlan(planId);
  const chosen = usePriceIn(plan);
  const hasCurrencies = (useQuery(currenciesQuery()).data?.length ?? 0) > 1;
  return (
    <div className={styles.page}>
      <Link to="/pricing-table" className={styles.back}>
        <ArrowLeft aria-hidden />
        <Trans>All plans</Trans>
      </Link>
      <DeletionNoticeSlot />
      <PlanDescription plan={plan} recommended={plan.id === recommendedPlanId(plans)}>
        {savedAt === undefined ? null : <SavedStamp at={savedAt} language={language} />}
      </PlanDescription>
      <Card className={styles.buy}>
        <PlanPrice plan={plan} price={chosen.price} saved={saved} language={language} />
        {plan.refusal ? null : (
          <>
            <MethodDiscounts discounts={discounts} language={language} />
            {hasCurrencies ? (
              <div className={styles.currency}>
                <CurrencyPicker value={chosen.wanted} failed={chosen.failed} />
              </div>
            ) : null}
          </>
        )}
        <div className={styles.here}>
          <PlanAction plan={plan} currency={chosen.currency} wide />
        </div>
      </Card>
      <BottomBar plan={plan} chosen={chosen} language={language} />
    </div>
  );
}

/** The action: buy this plan, or see those that can be bought. */
function PlanAction({ plan, currency, wide }: { plan: PlanDetail; currency: string; wide?: boolean }) {
  if (!plan.refusal) return <BuyButton planId={plan.id} currency={currency} wide={wide} />;
  return (
    <Link to="/pricing-table" data-first className={buttonClass({ size: 'lg', wide })}>
      <Trans>See plans</Trans>
    </Link>
  );
}

interface PlanDescriptionProps {
  plan: PlanDetail;
  recommended: boolean;
  /** shown below the description */
  children: Elements;
}

/** A plan from the saved list has no description and no features. */
function PlanDescription({ plan, recommended, children }: PlanDescriptionProps) {
  return (
    <div className={styles.about}>
      <PlanPill plan={plan} recommended={recommended} />
      <h1 translate="no">{plan.name}</h1>
      {plan.description ? <p className={styles.lead}>{plan.description}</p> : null}
      {children}
      {plan.refusal ? (
        <div className={styles.reason}>
          <PlanBadge plan={plan} as="reason" />
        </div>
      ) : null}
      {plan.features.length > 0 ? <Features features={plan.features} /> : null}
    </div>
  );
}

function Features({ features }: Pick<PlanDetail, 'features'>) {
  return (
    <>
      <h2 className={styles.subtitle}>
        <Trans>What you get</Trans>
      </h2>
      <ul className={lines.lines}>
        {features.map((feature) => (
          <li key={feature} className={lines.line}>
            <Check aria-hidden />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface UnderTheThumbProps {
  plan: PlanDetail;
  chosen: ChosenPrice;
  language: string;
}

/** On a phone the price and the button are fixed at the bottom. */
function BottomBar({ plan, chosen: { price, currency }, language }: UnderTheThumbProps) {
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
        <PlanAction plan={plan} currency={currency} />
      </StickyBar>
    </div>
  );
}

/** A plan as the customer sees it, with the other plans, and today's discounts of payment methods. */
function usePlan(planId: string) {
  const { data } = useSuspenseQuery(planQuery(planId, useDeferredValue(useLanguage())));
  const plans = usePlans();
  const listed = plans.find(({ id }) => id === planId);
  const today = useQuery(discountsQuery(planId)).data ?? data.discounts;
  // a method may not support the other currency
  const discounts = listed && listed.price.currency !== data.price.currency ? listed.discounts : today;
  // name and own price come from the details; the price before a reduction is in the displayed currency
  const { listPrice = data.listPrice, yours, refusal = data.refusal } = listed ?? {};
  return { plan: { ...data, listPrice, yours, refusal }, plans, saved: savedPercent(listed ?? data, plans), discounts };
}

interface ChosenPrice {
  /** ISO 4217: what is paid in, also while its price is on its way, and what was asked for */
  currency: string;
  wanted: string;
  price: Money;
  failed: boolean;
}

/** The plan's price in the wanted currency; until the server has said it, the plan's own stays. */
function usePriceIn(plan: PlanDetail): ChosenPrice {
  const own = plan.price.currency;
  const wanted = useWantedCurrency() ?? own;
  const converted = useQuery({ ...convertQuery(plan.id, wanted), enabled: wanted !== own });
  const price = wanted === own ? plan.price : (converted.data?.price ?? plan.price);
  const failed = wanted !== own && converted.isError;
  return { currency: failed ? own : wanted, wanted, price, failed };
}

interface BuyButtonProps {
  planId: string;
  /** ISO 4217 */
  currency: string;
  wide?: boolean | undefined;
}

/** A link to the checkout, where a visitor logs in first. */
function BuyButton({ planId, currency, wide }: BuyButtonProps) {
  return (
    <Link
      to="/payment"
      search={{ planId, currency }}
      preload={false}
      data-first
      className={buttonClass({ size: 'lg', wide })}
    >
      <Trans>Buy now</Trans>
    </Link>
  );
}
