import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { optional } from '../../entry/search-schema.ts';
import { ownPathSchema } from '../../../contract/fields.ts';
import { RegisterPage } from '../../features/auth/register-page.tsx';
import { pageHead } from '../../head/page-head.ts';

export const Route = createFileRoute('/_auth/register')({
  validateSearch: v.object({ return: optional(ownPathSchema) }),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Create your account`,
      description: msg`Create an account with your e-mail address, and start watching in minutes.`,
    }),
  component: Register,
});

function Register() {
  const search = Route.useSearch();
  return <RegisterPage returnTo={search.return} />;
}
