import { createFileRoute, redirect } from '@tanstack/react-router';
import { resultQueryOf } from '../../../entry/payment-result-path.ts';

/** The provider's way back: alternating names and values become the query of the result page (spec 2). */
export const Route = createFileRoute('/_plain/paymentResult/$')({
  beforeLoad: ({ location }) => {
    throw redirect({ to: '/paymentResult', search: resultQueryOf(location.pathname, location.searchStr), replace: true });
  },
});
