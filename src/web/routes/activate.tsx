import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/activate')({
  // The token of the mail has left the address before the router saw it.
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/resend-confirm${location.searchStr}`, replace: true });
  },
});
