import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/resetPassword')({
  // The token of the mail has left the address before the router saw it.
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/reset-password${location.searchStr}`, replace: true });
  },
});
