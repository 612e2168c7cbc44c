import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { languageOf, load } from '../../app/load.ts';
import { PricingPage } from '../../features/plans/pricing-page.tsx';
import { pricingQueries } from '../../features/plans/pricing-queries.ts';
import { useLanguage } from '../../i18n/active.ts';
import { useSavedAt } from '../../pwa/saved-copies.ts';
import { listPlans } from '../../../contract/site.ts';
import { requestUrl } from '../../api/request-url.ts';
import { pageHead } from '../../head/page-head.ts';
import { optionalText } from '../../entry/search-schema.ts';

const searchSchema = v.object({ errCode: optionalText(8), type: optionalText(40) });

export const Route = createFileRoute('/_main/pricing-table')({
  validateSearch: searchSchema,
  loader: ({ context }) => load(context, pricingQueries(languageOf(context))),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Plans and prices`,
      description: msg`Compare the plans by price, length and number of devices, and choose the one that fits.`,
    }),
  component: Pricing,
});

function Pricing() {
  const { errCode, type } = Route.useSearch();
  const savedAt = useSavedAt(requestUrl(listPlans, { query: { language: useLanguage() } }));
  return <PricingPage savedAt={savedAt} refused={errCode === '6000' && type === 'cannotBuyPlan'} />;
}
