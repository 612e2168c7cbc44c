import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect } from 'react';
import type { Language } from '#contract/fields.ts';
import type { Plan } from '#contract/plan.ts';
import { currencyList, listPlans } from '#contract/site.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand, useWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { updateSessionUser, useSession } from '#web/platform/session/session.ts';

const inCurrency = (currency: string | undefined) => (currency === undefined ? {} : { currency });

export const plansQuery = (language: Language, currency?: string) =>
  q(listPlans, { query: { language, ...inCurrency(currency) } }, currency ? { quiet: true } : {});

/** The plans as they are to the customer; what everybody is told stands in until it is there, and where it cannot be had. */
const myPlansQuery = (language: Language, currency?: string) =>
  q(listPlans, { query: { language, ...inCurrency(currency), mine: '1' } }, { quiet: true, personal: true });

export const currenciesQuery = () => q(currencyList);

/** What the pricing table is made of. */
export const pricingQueries = (language: Language) => [plansQuery(language)] as const;

/** What it shows when it can be had. */
export const pricingExtras = () => [currenciesQuery()] as const;

/** The shop's plans in the currency that is wanted here, and, for a customer, with what each of them is to them. */
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
  // A shop may have no plan with a price in it any more. Deferred: parts of the page that live later would lose what the
  // server has written of them, and the page would jump under the finger.
  return useDeferredValue(found?.plans.length ? found.plans : plans);
}
