import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { planIdSchema } from '#contract/fields.ts';
import { languageOf, load } from '#web/platform/api/query.ts';
import { PlanDetailsPage } from '#web/features/plans/plan-details-page.tsx';
import { planExtras, planQueries } from '#web/features/plans/plan-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/plan-details/$id')({
  beforeLoad: ({ params }) => {
    if (!v.is(planIdSchema, params.id)) throw redirect({ to: '/404', replace: true });
  },
  loader: ({ context, params }) => load(context, planQueries(params.id, languageOf(context)), planExtras(params.id)),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Plan details`,
      description: msg`What the plan includes, on how many devices, and what it costs.`,
    }),
  component: PlanDetails,
});

function PlanDetails() {
  const { id } = Route.useParams();
  return <PlanDetailsPage planId={id} />;
}
