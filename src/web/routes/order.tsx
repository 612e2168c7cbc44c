import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/order')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/orders${location.searchStr}`, replace: true });
  },
});
