import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/tokenLogin')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/pricing-table${location.searchStr}`, replace: true });
  },
});
