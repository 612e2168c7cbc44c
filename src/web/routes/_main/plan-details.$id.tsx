import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg, plural } from '@lingui/core/macro';
import * as v from 'valibot';
import { planIdSchema } from '#contract/fields.ts';
import { addressOf } from '#contract/endpoint.ts';
import { listPlans, planDetail, type Plan } from '#contract/plan.ts';
import { useSavedAt } from '#web/platform/api/network/saved-at.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { PlanDetailsPage } from '#web/features/plans/plan-details-page.tsx';
import { loadPlan } from '#web/features/plans/plan-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

/** Plans for one and for several devices may have the same name. */
const devicesOf = (plan: Pick<Plan, 'devices'>) =>
  msg`${plural(plan.devices, { one: '# device at a time', other: '# devices at the same time' })}`;

export const Route = createFileRoute('/_main/plan-details/$id')({
  beforeLoad: ({ params }) => {
    if (!v.is(planIdSchema, params.id)) throw redirect({ to: '/404', replace: true });
  },
  loader: async ({ context, params }) => {
    const plan = await loadPlan(context, params.id);
    return { title: `${plan.name}, ${context.i18n._(devicesOf(plan))}`, description: plan.description };
  },
  // `head` is in the first script of every page, and `loader` is not
  head: ({ match, loaderData }) => pageHead(match.context, loaderData ?? { title: msg`Plan details` }),
  component: PlanDetails,
});

function PlanDetails() {
  const { id } = Route.useParams();
  const language = useLanguage();
  const ownAt = useSavedAt(addressOf(planDetail, { params: { id }, query: { llanguage: language } }));
  const listAt = useSavedAt(addressOf(listPlans, { query: { language } }));
  return <PlanDetailsPage planId={id} savedAt={ownAt ?? listAt} />;
}
