import { createFileRoute, redirect } from '@tanstack/react-router';
import { rowOf } from '#contract/paths.ts';
import { stringifySearch } from '#web/platform/entry/search.ts';

/** Whatever no other route knows: the links of the table, and addresses that are nobody's. A mail's token has left by now. */
export const Route = createFileRoute('/$')({
  beforeLoad: ({ location, search }) => {
    const row = rowOf(location.pathname);
    if (row?.kind !== 'link') throw redirect({ to: '/404', replace: true });
    const query = row.says ? stringifySearch({ ...search, ...row.says }) : location.searchStr;
    throw redirect({ href: row.to + query, replace: true });
  },
});
