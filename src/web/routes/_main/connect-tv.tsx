import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { ConnectTvPage } from '#web/features/auth/sign-on/connect-tv-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { openCustomerPage } from '#web/platform/api/router-context.ts';

export const Route = createFileRoute('/_main/connect-tv')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Connect your TV`, index: false }),
  component: ConnectTvPage,
});
