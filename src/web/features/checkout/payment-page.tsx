import { useLocation } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useState } from 'react';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { type PaymentInfo, paymentInfo } from '#contract/orders.ts';
import { isOpen, isUnpaid } from '#contract/order-status.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { RedirectTo } from '#web/domain/payments/redirect-to.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { resultPath, resumePath, isAwaitingCardholder } from '#web/domain/payments/resume-path.ts';
import { useSession } from '#web/platform/session/session.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { availableQuery, tipQuery } from './checkout-queries.ts';
import { createCarriedCheckout } from './checkout-settings.ts';
import { recordEntry } from './checkout-entries.ts';
import { CheckoutScreen } from './checkout-screen.tsx';
import { CheckoutSkeleton, type CheckoutStep } from './steps.tsx';
import { Trans } from '@lingui/react/macro';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { currencyList, planDetail } from '#contract/plan.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useRefetchOnReturn, finalOutcomeOf } from '#web/domain/payments/use-payment-state.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/personal-copies.ts';

interface PaymentPageProps {
  planId: string;
  /** an order whose last attempt failed or expired, to be paid again */
  orderId?: string | undefined;
  currency?: string | undefined;
  step?: CheckoutStep | undefined;
  /** the order is unpaid, and the customer wants to use another method */
  another?: '1' | undefined;
}

type CheckoutSearch = Partial<PaymentPageProps>;

/** /payment: choose a method, then pay. The server's HTML is the same for all plans. */
export function CheckoutPage({ planId, ...search }: CheckoutSearch) {
  if (!useHydrated()) return <CheckoutSkeleton />;
  if (planId !== undefined) return <PaymentPage planId={planId} {...search} />;
  return search.orderId === undefined ? null : <OrderPlan orderId={search.orderId} search={search} />;
}

function PaymentPage(props: PaymentPageProps) {
  const { planId, orderId, currency, step, another } = props;
  const user = useSession();
  // A decline writes the order into the URL while the page is open; the data loaded first stays.
  const [first] = useState(orderId);
  const [carried] = useState(createCarriedCheckout);
  const led = useResultingOrder(planId);
  const asked = first ?? led;
  const leadsTo = (found: PaymentInfo) => nextPathOf(found, { ...props, orderId: first });
  const isPaidHere = (found: PaymentInfo) => leadsTo(found) === undefined;
  const data = useCheckoutData({ planId, orderId: asked, isPaidHere });
  const { plan, available, tip, currencies, info, error, retry } = data;
  const elsewhere = info && leadsTo(info);
  if (elsewhere) return <RedirectTo path={elsewhere} />;
  if (isOrderNotFound(error)) return <UnknownOrder />;
  if (isRefused(error, 'planUnavailable')) {
    return <RedirectTo path={`/pricing-table?type=cannotBuyPlan&errCode=2008&planId=${planId}`} />;
  }
  if (error) return <LoadFailed error={error} onRetry={retry} />;
  const waiting = asked !== undefined && !info;
  if (!user || !plan || !available || !tip || !currencies || waiting) return <CheckoutSkeleton step={step} />;
  const repay = first === undefined || info?.order.status === 'PAYMENT_CANCELLED' ? undefined : info?.order;
  return (
    <CheckoutScreen
      key={planId}
      carried={carried}
      user={user}
      plan={plan}
      tip={tip}
      leavesAt={tip.leavesAt}
      periods={tip.periods}
      repay={repay}
      orderId={orderId === first ? repay?.orderId : orderId}
      currencies={currencies.map(({ code }) => code)}
      currency={currency}
      step={step}
      replaceAttempt={another !== undefined}
    />
  );
}

/** The order that this history entry has led to. */
function useResultingOrder(planId: string): string | undefined {
  const key = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [led] = useState(() => recordEntry(key, planId));
  useEffect(() => void recordEntry(key, planId), [key, planId]);
  return led;
}

/**
 * The redirect if there is nothing to pay here. `orderId` is the order in the URL; without it, `info` is of the order
 * that this entry once led to, and only a paid one redirects: an unpaid one is offered, and may be ignored.
 */
function nextPathOf(
  info: PaymentInfo,
  { orderId, planId, currency, step, another }: PaymentPageProps,
): string | undefined {
  const { order, next } = info;
  if (orderId === undefined) {
    return finalOutcomeOf(order.status) === 'succeeded' ? resultPath(order.orderId) : undefined;
  }
  if (!mayRepay(info, serverNow(), another !== undefined)) return resumePath(orderId, next);
  return order.planId === planId ? undefined : checkoutPath({ planId: order.planId, orderId, currency, step, another });
}

/**
 * A paid order is not repaid, nor is one with an open step, unless by `another` method: the server closes the first one
 * then. A cancelled order is replaced by a new one.
 */
function mayRepay({ order, next }: PaymentInfo, now: number, another: boolean): boolean {
  if (isUnpaid(order.status) || isAwaitingCardholder({ order, next })) return true;
  if (another && isOpen(order.status)) return true;
  const ends = order.expiresAt ?? (next.type === 'none' ? null : (next.expiresAt ?? null));
  return isOpen(order.status) && ends !== null && ends <= now;
}

/** For a URL with an order and no plan, as in links of an email or a TV device: the order contains its plan. */
function OrderPlan({ orderId, search }: { orderId: string; search: Readonly<Record<string, unknown>> }) {
  const { data, error, refetch } = useQuery(q(paymentInfo, { body: { orderId } }, { quiet: true }));
  if (isOrderNotFound(error)) return <UnknownOrder />;
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (!data) return <CheckoutSkeleton />;
  return <RedirectTo path={checkoutPath({ ...search, orderId, planId: data.order.planId })} />;
}

/** The checkout of a plan; undefined parameters are omitted. */
function checkoutPath(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return `/payment?${new URLSearchParams(pairs)}`;
}

/** The caller has no such order. The response does not reveal whether another customer does. */
function isOrderNotFound(error: Error | null): boolean {
  return isRefused(error, 'orderNotFound');
}

/** The URL names no order of this customer. */
function UnknownOrder() {
  return (
    <StatePage
      art={<StateArt kind="missing" />}
      title={<Trans>We couldn’t find this order</Trans>}
      action={
        <>
          <Link to="/orders" className={buttonClass()}>
            <Trans>View my orders</Trans>
          </Link>
          <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
            <Trans>See plans</Trans>
          </Link>
        </>
      }
    >
      <p>
        <Trans>It may belong to another account, or the link is incomplete.</Trans>
      </p>
    </StatePage>
  );
}

interface Asked {
  readonly planId: string;
  readonly orderId: string | undefined;
  /** whether an order is paid on this page */
  readonly isPaidHere: (info: PaymentInfo) => boolean;
}

/** What must be known before anything can be chosen: the plan, whether it may be bought, and open orders. */
function useCheckoutData({ planId, orderId, isPaidHere }: Asked) {
  const language = useLanguage();
  // after a change of language the plan stays on the screen until its new text is loaded: the form with typed details
  // is below it
  const plan = useQuery({
    ...q(planDetail, { params: { id: planId }, query: { llanguage: language } }),
    placeholderData: keepPreviousData,
  });
  const tip = useQuery({
    ...tipQuery(planId),
    // another tab may have paid meanwhile
    refetchOnWindowFocus: 'always',
  });
  useRefetchOnReturn(() => void tip.refetch());
  const currencies = useQuery(q(currencyList));
  const info = useQuery({
    ...q(paymentInfo, { body: { orderId: orderId ?? '' } }, { quiet: true }),
    enabled: orderId !== undefined,
    gcTime: 0,
  });
  const available = useQuery({
    ...availableQuery(planId),
    // an order that redirects does so, whether its plan can be bought now or not
    enabled: orderId === undefined || (info.data !== undefined && isPaidHere(info.data)),
  });
  // a saved copy of it must not redirect the customer away from paying
  const isOld = mayBeSavedCopy(info.dataUpdatedAt);
  const asked = [plan, available, tip, currencies, ...(orderId === undefined ? [] : [info])];
  return {
    // after a change of plan, the previous one stays only while its own language is replaced
    plan: plan.data?.id === planId ? plan.data : undefined,
    available: available.data,
    tip: tip.data,
    currencies: currencies.data,
    info: isOld ? undefined : info.data,
    error: asked.find((query) => query.error && (!query.data || (query === info && isOld)))?.error ?? null,
    retry: () => asked.forEach((query) => query.error && void query.refetch()),
  };
}
