import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { PasskeysPage } from '#web/features/settings/passkeys/passkeys-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/passkeys')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Passkeys`, index: false }),
  component: PasskeysPage,
});
