import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { ReceiptsPage } from '../../features/receipts/receipts-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/receipts')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Receipts`, index: false }),
  component: ReceiptsPage,
});
