import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { CouponsPage } from '../../features/coupons/coupons-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/coupons')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Coupons`, index: false }),
  component: CouponsPage,
});
