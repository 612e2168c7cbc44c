import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/settings')({
  beforeLoad: ({ location }) =>
    Promise.all([openCustomerPage(location), ensureWords('identity')]).then(() => undefined),
  head: ({ match }) => pageHead(match.context, { title: msg`Settings`, index: false }),
  component: SettingsPage,
});
