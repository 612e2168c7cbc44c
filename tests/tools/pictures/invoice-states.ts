import { withdrawOrder } from '#contract/orders.ts';
import { buyByCard, registerCustomer } from '#tests/fixtures/customer.ts';
import type { Shown } from './shown.ts';

/** The pages of a paid order and of a refunded one at a brand that issues invoices. */
export async function invoiceStates(origin: string): Promise<Shown[]> {
  const [buyer, refunded] = await Promise.all([registerCustomer(origin), registerCustomer(origin)]);
  const { orderId } = await buyByCard(buyer, '501', 'KES');
  const { orderId: refundedId } = await buyByCard(refunded, '501', 'KES');
  await refunded.call(withdrawOrder, { body: { orderId: refundedId } });
  return [
    { name: 'invoice', address: `/receipt?orderId=${orderId}`, as: buyer },
    { name: 'invoice_credit-note', address: `/receipt?orderId=${refundedId}`, as: refunded },
    { name: 'invoice_result', address: `/paymentResult?orderId=${orderId}`, as: buyer },
    { name: 'invoice_orders', address: '/orders', as: refunded },
    { name: 'invoice_receipts', address: '/receipts', as: buyer },
    { name: 'invoice_account', address: '/account', as: buyer },
  ];
}
