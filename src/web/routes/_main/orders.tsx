import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { OrdersPage } from '#web/features/orders/orders-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/orders')({
  beforeLoad: ({ location }) => openCustomerPage(location, () => true),
  head: ({ match }) => pageHead(match.context, { title: msg`Your orders`, index: false }),
  component: OrdersPage,
});
