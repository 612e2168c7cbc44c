import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paymentInfo, paymentTip, type PaymentInfo } from '#contract/orders.ts';
import { checkPlanAvailable, currencyList, planDetail } from '#contract/site.ts';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useRefetchOnReturn } from '#web/domain/payments/use-payment-state.ts';
import { mayBeSavedCopy } from '#web/platform/session/storage/saved-copies.ts';

interface Asked {
  readonly planId: string;
  readonly orderId: string | undefined;
  /** whether an order is paid on this page */
  readonly isPaidHere: (info: PaymentInfo) => boolean;
}

/** What must be known before anything can be chosen: the plan, whether it may be bought, and open orders. */
export function useCheckoutData({ planId, orderId, isPaidHere }: Asked) {
  const language = useLanguage();
  // after a change of language the plan stays on the screen until its new text is loaded: the form with typed details
  // is below it
  const plan = useQuery({
    ...q(planDetail, { params: { id: planId }, query: { llanguage: language } }),
    placeholderData: keepPreviousData,
  });
  // never from the cache: open orders change with every payment
  const tip = useQuery({
    ...q(paymentTip, { query: { planId } }, { quiet: true }),
    gcTime: 0,
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
    ...q(checkPlanAvailable, { body: { planId } }, { callerShows: ['planUnavailable'] }),
    // an order that redirects does so, whether its plan can be bought now or not
    enabled: orderId === undefined || (info.data !== undefined && isPaidHere(info.data)),
  });
  // a saved copy of it must not redirect the customer away from paying
  const isOld = mayBeSavedCopy(info.dataUpdatedAt);
  const asked = [plan, available, tip, currencies, ...(orderId === undefined ? [] : [info])];
  return {
    plan: plan.data,
    available: available.data,
    tip: tip.data,
    currencies: currencies.data,
    info: isOld ? undefined : info.data,
    error: asked.find((query) => query.error && (!query.data || (query === info && isOld)))?.error ?? null,
    retry: () => asked.forEach((query) => query.error && void query.refetch()),
  };
}
