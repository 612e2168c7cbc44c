import { exponent } from '../../contract/money.ts';
import { toGiveBack, waitingForReview, type Reviewable } from '../payments/transfer/review.ts';
import type { Command } from './command.ts';
import { brandOf, inShop } from './open-shop.ts';

/** Lists the proofs that wait for a look, one in a line and parted by tabs, for a person or a pipe ([Note: Transfers]). */
export const transfersCommand: Command = {
  name: 'transfers',
  says: 'lists the transfers whose proof waits for a look',
  options: { brand: { value: 'code', says: 'of this brand only' } },
  run: async (given, { settings, clock, print, explain }) => {
    await inShop(settings, async (deps) => {
      const brand = given['brand'] === undefined ? undefined : brandOf(deps, given['brand']).code;
      const waiting = await waitingForReview(deps.db, brand);
      for (const one of waiting) print(lineOf(one));
      explain(
        waiting.length === 0
          ? 'No transfer waits for a look.'
          : 'Order, brand, amount, reference, since. Next: proof <order> <file>, then review <order> accept or reject.',
      );
      const back = await toGiveBack(deps.db, clock(), brand);
      if (back.length > 0) explain('To be given back by hand, because their orders were paid twice or refunded:');
      for (const one of back) explain(lineOf(one));
    });
  },
};

function lineOf({ orderId, transfer, since }: Reviewable): string {
  const { brand, reference } = transfer;
  return [orderId, brand, amountOf(transfer), reference, new Date(since).toISOString()].join('\t');
}

/** In major units with the code of the currency: `6.70 SGD`, as an account statement has it. */
export function amountOf({ amount, currency }: { amount: number; currency: string }): string {
  const digits = exponent(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}
