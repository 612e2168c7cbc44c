import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { NotFoundPage } from '#web/features/errors/not-found-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_main/404')({
  head: ({ match }) => pageHead(match.context, { title: msg`Page not found`, index: false }),
  component: NotFoundPage,
});
