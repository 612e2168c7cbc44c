import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { ConfirmPage } from '#web/features/recovery/confirm-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_auth/resend-confirm')({
  beforeLoad: () => loadMessages('private'),
  head: ({ match }) => pageHead(match.context, { title: msg`Confirm your email`, index: false }),
  component: ConfirmPage,
});
