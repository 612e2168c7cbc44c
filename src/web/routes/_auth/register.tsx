import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { googleClientQuery } from '#web/domain/auth/google-client.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { load, loadAbove } from '#web/platform/api/query.ts';
import { aliasesOf } from '#web/platform/entry/aliases.ts';
import { optional, optionalText } from '#web/platform/entry/search.ts';
import { RegisterPage } from '#web/features/register/register-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';

/** Parameters of the link stay in the URL, so that a reload does not lose them. */
const searchSchema = v.looseObject({ return: optional(ownPathSchema), reason: optionalText(20) });

export const Route = createFileRoute('/_auth/register')({
  validateSearch: searchSchema,
  beforeLoad: () => loadMessages('private'),
  loader: ({ context }) => Promise.all([load(context, [], [supportPhoneQuery]), loadAbove(context, googleClientQuery)]),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Create your account`,
      description: msg`Create an account with your email address and start watching in minutes.`,
    }),
  component: Register,
});

/** The longest entry parameter that the registration accepts. */
const longestEntry = 200;

function Register() {
  const { return: returnTo, reason, ...others } = Route.useSearch();
  const { appToken: _secret, ...told } = aliasesOf(Object.entries(others));
  const entry = Object.fromEntries(Object.entries(told).filter(([, value]) => value.length <= longestEntry));
  return <RegisterPage returnTo={returnTo} reason={reason} entry={Object.keys(entry).length > 0 ? entry : undefined} />;
}
