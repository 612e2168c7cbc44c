import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { languageOf, load } from '../../platform/routing/load.ts';
import { PricingPage } from '../../features/plans/pricing-page.tsx';
import { pricingExtras, pricingQueries } from '../../features/plans/pricing-queries.ts';
import { useLanguage } from '../../platform/i18n/active.ts';
import { useSavedAt } from '../../platform/network/saved-at.ts';
import { addressOf } from '../../../contract/endpoint.ts';
import { planIdSchema } from '../../../contract/fields.ts';
import { listPlans } from '../../../contract/site.ts';
import { pageHead } from '../../platform/head/page-head.ts';
import { optional, optionalText } from '../../platform/entry/search.ts';

const searchSchema = v.object({ errCode: optionalText(8), type: optionalText(40), planId: optional(planIdSchema) });

export const Route = createFileRoute('/_main/pricing-table')({
  validateSearch: searchSchema,
  loader: ({ context }) => load(context, pricingQueries(languageOf(context)), pricingExtras()),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Plans and prices`,
      description: msg`Compare the plans by price, length and number of devices, and choose the one that fits.`,
    }),
  component: Pricing,
});

function Pricing() {
  const { errCode, type, planId } = Route.useSearch();
  const refused = type === 'cannotBuyPlan' && (errCode === '6000' || errCode === '2008');
  const savedAt = useSavedAt(addressOf(listPlans, { query: { language: useLanguage() } }));
  return <PricingPage savedAt={savedAt} refused={refused ? { errCode: Number(errCode), planId } : undefined} />;
}
