import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ExternalSignInSlot } from '../-external-sign-in-slot.tsx';
import { load } from '#web/platform/api/query.ts';
import { optional, optionalText } from '#web/platform/entry/search.ts';
import { ownPathSchema } from '#contract/fields.ts';
import { LoginPage } from '#web/features/auth/login-page.tsx';
import { loginQueries } from '#web/features/auth/login-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

const searchSchema = v.object({
  return: optional(ownPathSchema),
  reason: optionalText(20),
  account: optionalText(160),
  // the name in links of the app and of TV devices
  loginId: optionalText(160),
});

export const Route = createFileRoute('/_auth/login')({
  validateSearch: searchSchema,
  loader: ({ context }) => load(context, [], loginQueries),
  head: ({ match }) =>
    pageHead(match.context, { title: msg`Log in`, description: msg`Log in to buy a plan and see your orders.` }),
  component: Login,
});

function Login() {
  const { return: returnTo, reason, account, loginId } = Route.useSearch();
  return (
    <ExternalSignInSlot returnTo={returnTo}>
      {(before) => <LoginPage returnTo={returnTo} reason={reason} account={account ?? loginId} before={before} />}
    </ExternalSignInSlot>
  );
}
