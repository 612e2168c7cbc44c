import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '../../../contract/fields.ts';
import { supportPhoneQuery } from '../../account-form/use-account-tab.ts';
import { load } from '../../app/load.ts';
import { optional } from '../../entry/search-schema.ts';
import { ResetPage } from '../../features/recovery/reset-page.tsx';
import { pageHead } from '../../head/page-head.ts';
import { ensureWords } from '../../i18n/catalogs.ts';

export const Route = createFileRoute('/_auth/reset-password')({
  validateSearch: v.object({ return: optional(ownPathSchema) }),
  beforeLoad: () => ensureWords('identity'),
  loader: ({ context }) => load(context, [], [supportPhoneQuery]),
  head: ({ match }) => pageHead(match.context, { title: msg`Choose a new password`, index: false }),
  component: Reset,
});

function Reset() {
  return <ResetPage returnTo={Route.useSearch().return} />;
}
