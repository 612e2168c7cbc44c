import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { mailTokenOf } from '#web/features/recovery/mail-token.ts';
import { RenewalPage } from '#web/features/renewal/renewal-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_plain/renewal')({
  // Public: the token of the email identifies the customer.
  beforeLoad: () => loadMessages('private'),
  head: ({ match }) => pageHead(match.context, { title: msg`Automatic renewal`, index: false }),
  component: Renewal,
});

function Renewal() {
  return <RenewalPage token={mailTokenOf('renewal')} />;
}
