import { writeFileSync } from 'node:fs';
import { proofOf } from '../payments/transfer/review.ts';
import { need, OperatorError, type Command } from './command.ts';
import { oneOf, transfersCalled } from './named-transfer.ts';
import { inShop } from './open-shop.ts';
import { amountOf } from './transfers.ts';

/** Writes the proof of a transfer to a file, readable by its owner alone, because it shows somebody's account. */
export const proofCommand: Command = {
  name: 'proof',
  says: 'writes the proof of a transfer to a file, for looking at',
  words: ['order', 'file'],
  options: {},
  run: async (given, { settings, explain }) => {
    const text = need(given, 'order');
    const file = need(given, 'file');
    await inShop(settings, async (deps) => {
      const handedIn = (await transfersCalled(deps, text)).filter(({ transfer }) => transfer.objectId !== null);
      if (handedIn.length === 0) throw new OperatorError(`${text} has no proof yet.`);
      const { transfer } = oneOf(handedIn, text);
      const proof = await proofOf(deps.db, transfer);
      if (!proof) throw new OperatorError(`The proof of ${text} is kept no longer.`);
      writeNew(file, proof.content);
      explain(
        `${file}: ${proof.mediaType}, ${proof.content.byteLength} bytes, sent by a stranger. It should show ${amountOf(transfer)} with the reference ${transfer.reference}; only your own account proves that the money is there.`,
      );
    });
  },
};

/** Never over another file. */
function writeNew(file: string, content: Uint8Array): void {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The proof could not be written: ${reason}.`);
  }
}
