import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { optionalText } from '../../entry/search-schema.ts';
import { NoticePage } from '../../features/errors/notice-page.tsx';
import { pageHead } from '../../head/page-head.ts';

export const Route = createFileRoute('/_plain/notice')({
  validateSearch: v.object({ type: optionalText(40), errCode: optionalText(8) }),
  head: ({ match }) => pageHead(match.context, { title: msg`Notice`, index: false }),
  component: Notice,
});

function Notice() {
  return <NoticePage {...Route.useSearch()} />;
}
