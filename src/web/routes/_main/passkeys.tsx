import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { PasskeysPage } from '../../features/passkeys/passkeys-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/passkeys')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Passkeys`, index: false }),
  component: PasskeysPage,
});
