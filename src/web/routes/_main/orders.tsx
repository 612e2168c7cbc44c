import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { OrdersPage } from '../../features/orders/orders-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/orders')({
  beforeLoad: ({ location }) => openCustomerPage(location, () => true),
  head: ({ match }) => pageHead(match.context, { title: msg`Your orders`, index: false }),
  component: OrdersPage,
});
