import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/settings')({
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Settings`, index: false }),
  component: SettingsPage,
});
