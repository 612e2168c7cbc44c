import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/stbPayment')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/payment${location.searchStr}`, replace: true });
  },
});
