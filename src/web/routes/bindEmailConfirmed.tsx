import { createFileRoute, redirect } from '@tanstack/react-router';
import { stringifySearch } from '../entry/search.ts';

export const Route = createFileRoute('/bindEmailConfirmed')({
  // The token of the mail has left the address before the router saw it.
  beforeLoad: ({ search }) => {
    throw redirect({ href: `/notice${stringifySearch({ ...search, type: 'bindEmail' })}`, replace: true });
  },
});
