import { createFileRoute, redirect } from '@tanstack/react-router';
import { findPathRow } from '#contract/paths.ts';
import { stringifySearch } from '#web/platform/entry/search.ts';

/**
 * Every path without a route of its own: the links of the table, and unknown paths. The token of an email was removed
 * before.
 */
export const Route = createFileRoute('/$')({
  beforeLoad: ({ location, search }) => {
    const row = findPathRow(location.pathname);
    if (row?.kind !== 'link') throw redirect({ to: '/404', replace: true });
    const query = row.says ? stringifySearch({ ...search, ...row.says }) : location.searchStr;
    throw redirect({ href: row.to + query, replace: true });
  },
});
