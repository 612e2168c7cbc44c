import { useState } from 'react';
import type { Money } from '#contract/money.ts';

/**
 * The price that came first for a choice of the customer's. A price that is asked for again by itself, when the customer
 * comes back to the page or the network to the phone, may be another one, which nobody has agreed to by seeing it change
 * or not; so the next tap compares with this. `tell` takes the price that the customer has been told of in words.
 *
 * @param choice what the price is of, as one text; another choice begins anew
 * @param price undefined while the price of this choice is not known
 */
export function useFirstShown(choice: string, price: Money | undefined) {
  const [first, setFirst] = useState<{ choice: string; price: Money }>();
  const known = first?.choice === choice ? first.price : undefined;
  if (!known && price) setFirst({ choice, price });
  return { price: known ?? price, tell: (told: Money) => setFirst({ choice, price: told }) };
}
