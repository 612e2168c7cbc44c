import { createFileRoute } from '@tanstack/react-router';
import { msg } from '@lingui/core/macro';
import { orderRoute } from '../-order-route.ts';
import { ReceiptPage } from '#web/features/orders/receipts/receipt-page.tsx';
import { pageHead } from '#web/platform/brand/page-head.ts';

export const Route = createFileRoute('/_plain/receipt')({
  ...orderRoute,
  head: ({ match }) => pageHead(match.context, { title: msg`Receipt`, index: false }),
  component: Receipt,
});

function Receipt() {
  const { orderId } = Route.useSearch();
  return orderId ? <ReceiptPage orderId={orderId} /> : null;
}
