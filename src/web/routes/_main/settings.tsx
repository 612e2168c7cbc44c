import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { ownPathSchema } from '#contract/fields.ts';
import { optional } from '#web/platform/entry/search.ts';
import { openCustomerPage } from '#web/platform/api/router-context.ts';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/settings')({
  validateSearch: v.object({ add: optional(v.literal('email')), return: optional(ownPathSchema) }),
  beforeLoad: ({ location }) => openCustomerPage(location),
  head: ({ match }) => pageHead(match.context, { title: msg`Settings`, index: false }),
  component: Settings,
});

function Settings() {
  const { add, return: returnTo } = Route.useSearch();
  return <SettingsPage add={add} returnTo={returnTo} />;
}
