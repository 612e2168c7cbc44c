import { acceptTransfer, rejectProof, type Reviewable, type ReviewOutcome } from '../payments/transfer/review.ts';
import { need, OperatorError, type Command } from './command.ts';
import { oneOf, transfersCalled } from './named-transfer.ts';
import { inShop } from './open-shop.ts';
import { amountOf } from './transfers.ts';

const done: Readonly<Record<ReviewOutcome, (one: Reviewable) => string>> = {
  paid: ({ orderId }) => `Order ${orderId} is paid.`,
  paidTwice: ({ orderId, transfer }) =>
    `Order ${orderId} was paid already. Give ${amountOf(transfer)} back by hand; \`transfers\` lists it in a minute.`,
  before: ({ transfer }) => `Transfer ${transfer.reference} was accepted before. Nothing changed.`,
  rejected: ({ orderId }) => `The customer of order ${orderId} is asked for another proof and has a day for it.`,
  dismissed: ({ orderId }) => `The proof is put aside. Order ${orderId} had ended already.`,
  nothing: ({ orderId }) => `Order ${orderId} has no proof that waits for a look. Nothing changed.`,
};

/** Says whether the money of a transfer has arrived ([Note: Transfers]). */
export const reviewCommand: Command = {
  name: 'review',
  says: 'accepts a transfer whose money is there, or rejects a proof that is none',
  words: ['order', 'accept|reject'],
  options: {},
  run: async (given, { settings, clock, explain }) => {
    const text = need(given, 'order');
    const verdict = need(given, 'accept|reject');
    if (verdict !== 'accept' && verdict !== 'reject') {
      throw new OperatorError(`${verdict} is neither accept nor reject.`, { badUsage: true });
    }
    await inShop(settings, async (opened) => {
      const deps = { ...opened, clock };
      const one = oneOf(await transfersCalled(deps, text), text);
      const judge = verdict === 'accept' ? acceptTransfer : rejectProof;
      const outcome = await judge(deps, one.transfer);
      const sentence = done[outcome](one);
      if (outcome === 'nothing') throw new OperatorError(sentence);
      explain(sentence);
    });
  },
};
