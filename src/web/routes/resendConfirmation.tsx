import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/resendConfirmation')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/resend-confirm${location.searchStr}`, replace: true });
  },
});
