import { msg } from '@lingui/core/macro';
import { lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as v from 'valibot';
import { orderIdSchema } from '#contract/fields.ts';
import { optional } from '#web/platform/entry/search.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { openCustomerPage, type RouterContext } from '#web/platform/api/router-context.ts';

interface Opened {
  readonly location: { readonly href: string };
  readonly search: { readonly orderId?: string | undefined };
}

/** For a page of one order of the customer: `?orderId=`; without it the orders open. */
export const orderRoute = {
  validateSearch: v.object({ orderId: optional(orderIdSchema) }),
  beforeLoad: ({ location, search }: Opened): Promise<void> => {
    if (!search.orderId) throw redirect({ to: '/orders', replace: true });
    return openCustomerPage(location, () => true);
  },
};

/**
 * For every path of a payment step. They share one page in its own chunk, because route options are part of every first
 * visit. Spread it, because the router writes into route options.
 */
export const paymentStepRoute = {
  ...orderRoute,
  head: ({ match }: { match: { context: RouterContext } }) =>
    pageHead(match.context, { title: msg`Your payment`, index: false }),
  component: lazyRouteComponent(() => import('#web/features/checkout/next/payment-step-page.tsx'), 'PaymentStepPage'),
};
