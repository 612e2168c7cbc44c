import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { ConnectTvPage } from '../../features/external-sign-in/connect-tv-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';
import { ensureWords } from '../../platform/i18n/catalogs.ts';
import { openCustomerPage } from '../../platform/routing/router-context.ts';

export const Route = createFileRoute('/_main/connect-tv')({
  beforeLoad: ({ location }) =>
    Promise.all([openCustomerPage(location), ensureWords('identity')]).then(() => undefined),
  head: ({ match }) => pageHead(match.context, { title: msg`Connect your TV`, index: false }),
  component: ConnectTvPage,
});
