import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { languageOf, load } from '#web/platform/api/query.ts';
import { PrivacyPage } from '#web/features/help/privacy-page.tsx';
import { privacyQueries } from '#web/features/help/help-queries.ts';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/privacy')({
  loader: ({ context }) => load(context, privacyQueries(languageOf(context))),
  head: ({ match }) =>
    pageHead(match.context, {
      title: msg`Terms and privacy`,
      description: msg`Our Terms of Use and how we handle your data.`,
    }),
  component: PrivacyPage,
});
