import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect } from 'react';
import type { Language } from '#contract/fields.ts';
import { type Plan, currencyList, listPlans } from '#contract/plan.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand, useWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { updateSessionUser, useSession } from '#web/platform/session/session.ts';

const inCurrency = (currency: string | undefined) => (currency === undefined ? {} : { currency });

export const plansQuery = (language: Language, currency?: string) =>
  q(listPlans, { query: { language, ...inCurrency(currency) } }, currency ? { quiet: true } : {});

/** The plans for this customer; the public plans are the fallback until these are loaded, and on errors. */
const myPlansQuery = (language: Language, currency?: string) =>
  q(listPlans, { query: { language, ...inCurrency(currency), mine: '1' } }, { quiet: true, personal: true });

export const currenciesQuery = () => q(currencyList, undefined, { quiet: true });

/** Required by the pricing page. */
export const pricingQueries = (language: Language) => [plansQuery(language)] as const;

/** Optional content of the pricing page. */
export const pricingExtras = () => [currenciesQuery()] as const;

/** The plans in the currency wanted on this device and, for a customer, with each plan's state for them. */
export function usePlans(): readonly Plan[] {
  const language = useDeferredValue(useLanguage());
  const { plans } = useSuspenseQuery(plansQuery(language)).data;
  const wanted = useWantedCurrency();
  const { defaultCurrency } = useBrand().siteConfig.payment;
  const sold = useQuery(currenciesQuery()).data?.some(({ code }) => code === wanted) ?? false;
  const other = sold && wanted !== defaultCurrency ? wanted : undefined;
  const signedIn = useSession() !== null;
  const mine = useQuery({ ...myPlansQuery(language, other), enabled: signedIn, placeholderData: keepPreviousData });
  const leavesAt = mine.data?.leavesAt;
  useEffect(() => updateSessionUser({ leavesAt }), [leavesAt]);
  const isForAll = other !== undefined && (!signedIn || mine.isError);
  const inOther = useQuery({ ...plansQuery(language, other), enabled: isForAll, placeholderData: keepPreviousData });
  const found = signedIn && mine.data ? mine.data : isForAll ? inOther.data : undefined;
  // A shop may have no plan with a price in it any more. Deferred: an update before parts of the page are hydrated
  // would discard their server HTML, and the layout would shift.
  return useDeferredValue(found?.plans.length ? found.plans : plans);
}
