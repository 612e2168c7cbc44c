import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { AccountPage } from '../../features/account/account-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/account')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Your account`, index: false }),
  component: AccountPage,
});
