import { createFileRoute, redirect } from '@tanstack/react-router';

/** The provider's return URL: alternating names and values become the query of the result page. */
export const Route = createFileRoute('/_plain/paymentResult/$')({
  beforeLoad: async ({ location }) => {
    const { resultQueryOf } = await import('#web/platform/entry/payment-result-path.ts');
    throw redirect({
      to: '/paymentResult',
      search: resultQueryOf(location.pathname, location.searchStr),
      replace: true,
    });
  },
});
