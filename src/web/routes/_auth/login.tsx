import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { optional, optionalText } from '../../entry/search-schema.ts';
import { ownPathSchema } from '../../../contract/fields.ts';
import { LoginPage } from '../../features/auth/login-page.tsx';
import { pageHead } from '../../head/page-head.ts';

const searchSchema = v.object({
  return: optional(ownPathSchema),
  reason: optionalText(20),
  account: optionalText(160),
});

export const Route = createFileRoute('/_auth/login')({
  validateSearch: searchSchema,
  head: ({ match }) =>
    pageHead(match.context, { title: msg`Log in`, description: msg`Log in to buy a plan and to see your orders.` }),
  component: Login,
});

function Login() {
  const search = Route.useSearch();
  return <LoginPage returnTo={search.return} reason={search.reason} account={search.account} />;
}
