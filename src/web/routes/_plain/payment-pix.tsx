import { createFileRoute, redirect } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { orderIdSchema } from '../../../contract/fields.ts';
import { openCustomerPage } from '../../app/guard.ts';
import { optional } from '../../entry/search-schema.ts';
import { PixPage } from '../../features/checkout/pix-page.tsx';
import { pageHead } from '../../head/page-head.ts';

export const Route = createFileRoute('/_plain/payment-pix')({
  validateSearch: v.object({ orderId: optional(orderIdSchema) }),
  beforeLoad: ({ location, search }) => {
    if (!search.orderId) throw redirect({ to: '/orders', replace: true });
    return openCustomerPage(location);
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Pay with Pix`, index: false }),
  component: Pix,
});

function Pix() {
  const { orderId } = Route.useSearch();
  return orderId ? <PixPage orderId={orderId} /> : null;
}
