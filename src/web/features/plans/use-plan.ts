import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import { currenciesQuery, discountsQuery, planQueries } from './plan-queries.ts';

/** A plan with what stands beside it; the shop's currencies and today's discounts come when they can be had. */
export function usePlan(planId: string) {
  const [planOf, plansOf] = planQueries(planId, useDeferredValue(useLanguage()));
  const plan = useSuspenseQuery(planOf).data;
  const { plans } = useSuspenseQuery(plansOf).data;
  const currencies = useQuery(currenciesQuery()).data ?? [];
  const discounts = useQuery(discountsQuery(planId)).data ?? plan.discounts;
  return { plan, plans, currencies, discounts };
}
