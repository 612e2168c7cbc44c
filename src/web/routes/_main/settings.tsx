import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '../../platform/routing/router-context.ts';
import { ensureWords } from '../../platform/i18n/catalogs.ts';
import { SettingsPage } from '../../features/settings/settings-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';

export const Route = createFileRoute('/_main/settings')({
  beforeLoad: ({ location }) =>
    Promise.all([openCustomerPage(location), ensureWords('identity')]).then(() => undefined),
  head: ({ match }) => pageHead(match.context, { title: msg`Settings`, index: false }),
  component: SettingsPage,
});
