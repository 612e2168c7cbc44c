import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { load } from '#web/platform/api/query.ts';
import { optional, optionalText } from '#web/platform/entry/search.ts';
import { ForgotPage } from '#web/features/recovery/forgot-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_auth/lost-password')({
  validateSearch: v.object({ return: optional(ownPathSchema), reason: optionalText(20) }),
  beforeLoad: () => loadMessages('private'),
  loader: ({ context }) => load(context, [], [supportPhoneQuery]),
  head: ({ match }) => pageHead(match.context, { title: msg`Reset your password`, index: false }),
  component: Forgot,
});

function Forgot() {
  const { return: returnTo, reason } = Route.useSearch();
  return <ForgotPage returnTo={returnTo} reason={reason} />;
}
