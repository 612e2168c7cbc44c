import { toPaypal } from '#server/payments/paypal/currencies.ts';
import { sandboxBase } from './account.ts';
import type { Order } from './order.ts';

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: 'GET';
}

/** Links to the API. */
export function links(...all: readonly (readonly [rel: string, path: string])[]): Link[] {
  return all.map(([rel, path]) => ({ href: `http://sandbox.paypal${sandboxBase}${path}`, rel, method: 'GET' }));
}

/** The payer's page, at the origin that the payer came from. */
export function payerPage({ id, returnUrl }: Pick<Order, 'id' | 'returnUrl'>): string {
  return new URL(`${sandboxBase}/checkoutnow?token=${id}`, returnUrl).href;
}

/** An order in the format of "Show order details". */
export function orderView(order: Order) {
  const { id, status, customId, amount, currency } = order;
  const isWaiting = status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED';
  const action: Link = { href: payerPage(order), rel: 'payer-action', method: 'GET' };
  return {
    id,
    intent: 'CAPTURE',
    status,
    payment_source: { paypal: {} },
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: customId,
        amount: toPaypal({ amount, currency }),
        ...(status === 'COMPLETED' && { payments: { captures: [captureView(order)] } }),
      },
    ],
    links: [...links(['self', `/v2/checkout/orders/${id}`]), ...(isWaiting ? [action] : [])],
  };
}

export function captureView({ captureId, refunded, parts, customId, amount, currency }: Order) {
  return {
    id: captureId,
    status: refunded ? 'REFUNDED' : Object.keys(parts).length > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED',
    amount: toPaypal({ amount, currency }),
    final_capture: true,
    custom_id: customId,
    links: links(['self', `/v2/payments/captures/${captureId}`]),
  };
}

/** An error in PayPal's format. */
export function problem(name: string, issue: string, more: readonly Link[] = []) {
  const description = 'The sandbox PayPal does not do this.';
  return { name, message: description, debug_id: 'sandbox', details: [{ issue, description }], links: more };
}
