import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { planIdSchema } from '#contract/fields.ts';
import { addressOf } from '#contract/endpoint.ts';
import { listPlans, planDetail } from '#contract/plan.ts';
import { useSavedAt } from '#web/platform/api/network/saved-at.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { PlanDetailsPage } from '#web/features/plans/plan-details-page.tsx';
import { loadPlan } from '#web/features/plans/plan-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/plan-details/$id')({
  beforeLoad: ({ params }) => {
    if (!v.is(planIdSchema, params.id)) throw redirect({ to: '/404', replace: true });
  },
  loader: ({ context, params }) => loadPlan(context, params.id),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Plan details`,
      description: msg`What the plan includes, on how many devices, and what it costs.`,
    }),
  component: PlanDetails,
});

function PlanDetails() {
  const { id } = Route.useParams();
  const language = useLanguage();
  const ownAt = useSavedAt(addressOf(planDetail, { params: { id }, query: { llanguage: language } }));
  const listAt = useSavedAt(addressOf(listPlans, { query: { language } }));
  return <PlanDetailsPage planId={id} savedAt={ownAt ?? listAt} />;
}
