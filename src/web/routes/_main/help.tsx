import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { languageOf, load } from '#web/platform/api/query.ts';
import { HelpPage } from '#web/features/help/help-page.tsx';
import { contactQuery, helpQueries } from '#web/features/help/help-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/help')({
  loader: ({ context }) => load(context, helpQueries(languageOf(context)), [contactQuery]),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Help and contact`,
      description: msg`Answers about the app, plans, payments and your account, and how to contact us.`,
    }),
  component: HelpPage,
});
