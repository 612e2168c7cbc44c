import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { load } from '#web/platform/api/query.ts';
import { optional } from '#web/platform/entry/search.ts';
import { ResetPage } from '#web/features/recovery/reset-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

export const Route = createFileRoute('/_auth/reset-password')({
  validateSearch: v.object({ return: optional(ownPathSchema) }),
  beforeLoad: () => loadMessages('private'),
  loader: ({ context }) => load(context, [], [supportPhoneQuery]),
  head: ({ match }) => pageHead(match.context, { title: msg`Choose a new password`, index: false }),
  component: Reset,
});

function Reset() {
  const { return: returnTo } = Route.useSearch();
  return <ResetPage returnTo={returnTo} />;
}
