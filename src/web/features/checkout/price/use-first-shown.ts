import { useState } from 'react';
import type { Money } from '#contract/money.ts';

/**
 * The price that was shown first for a choice of the customer. A refetch on focus or reconnect may change the price
 * without the customer having noticed or agreed, so the next tap compares with this one. `tell` sets the price that a
 * notice has shown to the customer.
 *
 * @param choice what the price is of, as one text; another choice starts again
 * @param price undefined while the price of this choice is unknown
 */
export function useFirstShown(choice: string, price: Money | undefined) {
  const [first, setFirst] = useState<{ choice: string; price: Money }>();
  const known = first?.choice === choice ? first.price : undefined;
  if (!known && price) setFirst({ choice, price });
  return { price: known ?? price, tell: (told: Money) => setFirst({ choice, price: told }) };
}
