import { orderNumber } from '#contract/mask.ts';

/** The short number of an order, which support finds it by, and its ID. */
export function OrderNumber({ orderId }: { orderId: string }) {
  const number = orderNumber(orderId);
  return (
    <>
      {number === orderId ? null : (
        <>
          <b>{number}</b>{' '}
        </>
      )}
      <span>{orderId}</span>
    </>
  );
}
