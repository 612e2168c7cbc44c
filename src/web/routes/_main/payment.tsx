import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { orderIdSchema, planIdSchema, currencySchema } from '#contract/fields.ts';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { getSession } from '#web/platform/session/session.ts';
import { optional } from '#web/platform/entry/search.ts';
import { CheckoutPage } from '#web/features/checkout/payment-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

const searchSchema = v.object({
  planId: optional(planIdSchema),
  orderId: optional(orderIdSchema),
  currency: optional(currencySchema),
  step: optional(v.picklist(['method', 'details', 'phone'])),
  another: optional(v.literal('1')),
});

export const Route = createFileRoute('/_main/payment')({
  validateSearch: searchSchema,
  beforeLoad: async ({ location, search }) => {
    if (import.meta.env.SSR) return;
    if (!search.planId && !search.orderId) throw redirect({ to: '/pricing-table', replace: true });
    // anyone with a link to an order already has an account
    if (!getSession() && !search.orderId)
      (await import('#web/domain/auth/login-notice.tsx')).redirectNewVisitor(location);
    return openCustomerPage(location, (only) => search.planId === undefined || search.planId === only);
  },
  head: ({ match }) =>
    pageHead(match.context, {
      title: match.search.step === 'details' ? msg`Confirm and pay` : msg`Payment`,
      index: false,
    }),
  component: Payment,
});

function Payment() {
  return <CheckoutPage {...Route.useSearch()} />;
}
