import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { currencyList } from '../../../contract/billing.ts';
import { paymentInfo, paymentTip } from '../../../contract/orders.ts';
import { checkPlanAvailable, planDetail } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';
import { useLanguage } from '../../i18n/active.ts';
import { useAskOnReturn } from '../../payment-state/use-payment-state.ts';

interface Asked {
  readonly planId: string;
  readonly orderId: string | undefined;
}

/** What must be known before anything can be chosen: the plan, whether it may be bought, and what is open already. */
export function useCheckoutData({ planId, orderId }: Asked) {
  const language = useLanguage();
  // in another language the plan stays on the screen until its new words are there: a form with typed details is below it
  const plan = useQuery({
    ...q(planDetail, { params: { id: planId }, query: { llanguage: language } }),
    placeholderData: keepPreviousData,
  });
  const available = useQuery(q(checkPlanAvailable, { body: { planId } }, { owns: [2008] }));
  // never from memory: what is unfinished changes with every payment
  const tip = useQuery({
    ...q(paymentTip, { query: { planId } }, { quiet: true }),
    gcTime: 0,
    // another tab may have paid meanwhile
    refetchOnWindowFocus: 'always',
  });
  useAskOnReturn(() => void tip.refetch());
  const currencies = useQuery(q(currencyList));
  const info = useQuery({
    ...q(paymentInfo, { body: { orderId: orderId ?? '' } }, { quiet: true }),
    enabled: orderId !== undefined,
    gcTime: 0,
  });
  const asked = [plan, available, tip, currencies, ...(orderId === undefined ? [] : [info])];
  return {
    plan: plan.data,
    available: available.data,
    tip: tip.data,
    currencies: currencies.data,
    info: info.data,
    error: asked.find((query) => query.error && !query.data)?.error ?? null,
    retry: () => asked.forEach((query) => query.error && void query.refetch()),
  };
}
