import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { ErrorPage } from '#web/features/errors/error-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/500')({
  head: ({ match }) => pageHead(match.context, { title: msg`Something went wrong`, index: false }),
  component: ErrorPage,
});
