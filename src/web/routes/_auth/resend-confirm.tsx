import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { ConfirmPage } from '../../features/recovery/confirm-page.tsx';
import { pageHead } from '../../platform/head/page-head.ts';
import { ensureWords } from '../../platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_auth/resend-confirm')({
  beforeLoad: () => ensureWords('identity'),
  head: ({ match }) => pageHead(match.context, { title: msg`Confirm your email`, index: false }),
  component: ConfirmPage,
});
