/**
 * What `attempts.provider_ref` says of a payment at PayPal. `order:5O190127TN364715T:1` is an order that waits for its
 * payer; the number counts the instruments that they have tried, because each one needs a capture request of its own.
 * `capture:3C679366HH908993F` is money that has come, by the transaction id that both sides see in their accounts.
 */
export type Reference =
  | { readonly type: 'none' }
  | { readonly type: 'order'; readonly id: string; readonly instrument: number }
  | { readonly type: 'capture'; readonly id: string };

export const orderReference = (id: string, instrument: number) => `order:${id}:${instrument}`;
export const captureReference = (id: string) => `capture:${id}`;

export function readReference(text: string | null): Reference {
  const [, orderId, instrument] = /^order:([\w-]+):(\d{1,4})$/.exec(text ?? '') ?? [];
  if (orderId !== undefined) return { type: 'order', id: orderId, instrument: Number(instrument) };
  const [, captureId] = /^capture:([\w-]+)$/.exec(text ?? '') ?? [];
  return captureId === undefined ? { type: 'none' } : { type: 'capture', id: captureId };
}
