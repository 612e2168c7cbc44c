import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { languageOf, load } from '#web/platform/api/query.ts';
import { PricingPage } from '#web/features/plans/pricing-page.tsx';
import { pricingExtras, pricingQueries } from '#web/features/plans/pricing-queries.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useSavedAt } from '#web/platform/api/network/saved-at.ts';
import { addressOf } from '#contract/endpoint.ts';
import { planIdSchema } from '#contract/fields.ts';
import { listPlans } from '#contract/plan.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { optional, optionalText } from '#web/platform/entry/search.ts';

const searchSchema = v.object({ errCode: optionalText(8), type: optionalText(40), planId: optional(planIdSchema) });

export const Route = createFileRoute('/_main/pricing-table')({
  validateSearch: searchSchema,
  loader: ({ context }) => load(context, pricingQueries(languageOf(context)), pricingExtras()),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Plans and prices`,
      description: msg`Compare plans by price, length and number of devices, and choose the one that fits.`,
    }),
  component: Pricing,
});

function Pricing() {
  const { errCode, type, planId } = Route.useSearch();
  const refused = type === 'cannotBuyPlan' && (errCode === '6000' || errCode === '2008');
  const savedAt = useSavedAt(addressOf(listPlans, { query: { language: useLanguage() } }));
  return <PricingPage savedAt={savedAt} refused={refused ? { errCode: Number(errCode), planId } : undefined} />;
}
