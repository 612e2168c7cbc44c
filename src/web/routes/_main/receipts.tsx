import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { ReceiptsPage } from '#web/features/orders/receipts/receipts-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/receipts')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Receipts`, index: false }),
  component: ReceiptsPage,
});
