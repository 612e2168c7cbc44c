import {
  transfersToRefund,
  waitingForReview,
  type Reviewable,
  resolveTransfer,
  findTransfers,
  markRefundsSent,
  proofOf,
  acceptTransfer,
  rejectProof,
  type ReviewOutcome,
} from '#server/billing/review-transfer.ts';
import * as v from 'valibot';
import { proofRejectionSchema, type ProofRejection } from '#contract/next-step.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  type OptionValues,
  type ShopCommand,
  OperatorError,
  requireOption,
  amountOf,
  instantOf,
  type OutputFields,
} from './command.ts';
import { brandCodeOption } from './open-shop.ts';
import { createOperatorFile } from './operator-files.ts';
import type { Deps } from '#server/deps.ts';

/** Lists the proofs that wait for review, one per line with tabs, for a person or a pipe. */
export const transfersCommand: ShopCommand = {
  name: 'transfers list',
  summary: 'lists the transfers whose proof waits for review, and those to refund by hand, by their task',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, { deps, row, explain }) => {
    const brand = brandCodeOption(deps, given['brand']);
    const waiting = await waitingForReview(deps.db, brand);
    for (const one of waiting) row(factsOf(one, 'review'));
    const back = await transfersToRefund(deps.db, deps.clock(), brand);
    for (const one of back) row(factsOf(one, 'refund'));
    if (waiting.length > 0)
      explain('To review: transfers proof <order> <file>, then transfers review <order> accept or reject.');
    else if (back.length === 0) explain('No transfer waits for review or a refund.');
    if (back.length > 0)
      explain('To refund by hand, because their orders were paid twice or refunded. Then: transfers done <order>.');
  },
};

function factsOf({ orderId, transfer, since }: Reviewable, task: 'review' | 'refund'): OutputFields {
  const { brand, reference, amount, currency } = transfer;
  return { orderId, brand, amount: { amount, currency }, reference, since: instantOf(since), task };
}

/** The transfers of an order, or the one with a reference; both in any spelling. */
async function requireTransfers({ db }: Pick<Deps, 'db'>, text: string): Promise<[Reviewable, ...Reviewable[]]> {
  const [first, ...more] = await findTransfers(db, text.trim().toUpperCase());
  if (!first) throw new OperatorError(`There is no transfer for ${text}.`);
  return [first, ...more];
}

/** The one that is meant; an order that was paid again by transfer has several. */
function requireSingleTransfer(named: readonly Reviewable[], text: string): Reviewable {
  const meant = resolveTransfer(named);
  if (meant) return meant;
  const references = named.map(({ transfer }) => `${transfer.reference} (${transfer.state})`).join(', ');
  throw new OperatorError(`${text} has several transfers. Give the reference instead of the order: ${references}.`);
}

/** Writes the proof of a transfer to a file that only its owner can read, because it shows a bank account. */
export const proofCommand: ShopCommand = {
  name: 'transfers proof',
  summary: 'writes the proof of payment of a transfer to a file',
  words: ['order', 'file'],
  options: {},
  inShop: async (given, { deps, done: say }) => {
    const text = requireOption(given, 'order');
    const file = requireOption(given, 'file');
    const handedIn = (await requireTransfers(deps, text)).filter(({ transfer }) => transfer.objectId !== null);
    if (handedIn.length === 0) throw new OperatorError(`${text} has no proof yet.`);
    const { transfer, orderId } = requireSingleTransfer(handedIn, text);
    const proof = await proofOf(deps.db, transfer);
    if (!proof) throw new OperatorError(`The proof of ${text} is no longer stored.`);
    const bytes = await createOperatorFile(file, [proof.content]);
    const { mediaType } = proof;
    say(
      `${file}: ${mediaType}, ${bytes} bytes, uploaded by the customer: do not trust it. It should show ${amountOf(transfer)} with the reference ${transfer.reference}; only your own account proves that the money is there.`,
      { orderId, file, mediaType, bytes, amount: amountOf(transfer), reference: transfer.reference },
    );
  },
};

const reasons = proofRejectionSchema.entries.reason.options;

/** Why a proof was rejected, for the customer; page and mail show it as plain text. */
function rejectionGiven(given: OptionValues): ProofRejection {
  const reason = given['reason']?.trim() || 'notFound';
  const words = given['words']?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const rejection = { reason, ...(words && { words }) };
  const parsed = v.safeParse(proofRejectionSchema, rejection);
  if (parsed.success) return parsed.output;
  throw new OperatorError(`The reason is one of ${reasons.join(', ')}, and the words have 200 characters at most.`, {
    badUsage: true,
  });
}

const done: Readonly<Record<ReviewOutcome, (one: Reviewable) => string>> = {
  paid: ({ orderId }) => `Order ${orderId} is paid.`,
  paidTwice: ({ orderId, transfer }) =>
    `Order ${orderId} was paid already. Refund ${amountOf(transfer)} manually; \`transfers list\` shows it in a minute.`,
  before: ({ transfer }) => `Transfer ${transfer.reference} was accepted before. Nothing changed.`,
  rejected: ({ orderId }) => `The customer of order ${orderId} is asked for another proof of payment within a day.`,
  dismissed: ({ orderId }) => `The proof is dismissed. Order ${orderId} had ended already.`,
  nothing: ({ orderId }) => `Order ${orderId} has no proof that waits for review. Nothing changed.`,
};

/** Records whether the money of a transfer has arrived. */
export const reviewCommand: ShopCommand = {
  name: 'transfers review',
  summary: 'accepts a transfer whose money has arrived, or rejects an invalid proof',
  words: ['order', 'accept|reject'],
  options: {
    reason: { value: reasons.join('|'), summary: 'reason of a rejection, for the customer (notFound)' },
    words: { value: 'text', summary: 'additional text of a rejection for the customer: one sentence of plain text' },
    ...auditOptions,
  },
  inShop: async (given, { deps, done: say }) => {
    const text = requireOption(given, 'order');
    const verdict = requireOption(given, 'accept|reject');
    if (verdict !== 'accept' && verdict !== 'reject') {
      throw new OperatorError(`${verdict} is neither accept nor reject.`, { badUsage: true });
    }
    const rejection = verdict === 'reject' ? rejectionGiven(given) : undefined;
    const one = requireSingleTransfer(await requireTransfers(deps, text), text);
    const { brand, reference } = one.transfer;
    const outcome = await deps.db.transaction(async (tx) => {
      const inside = { ...deps, db: tx };
      const came = rejection
        ? await rejectProof(inside, one.transfer, rejection)
        : await acceptTransfer(inside, one.transfer);
      const change = {
        command: 'transfers review',
        brand,
        subject: one.orderId,
        detail: { verdict, reference, ...rejection },
      };
      if (came !== 'nothing' && came !== 'before') await writeAudit(tx, given, change, deps);
      return came;
    });
    const sentence = done[outcome](one);
    if (outcome === 'nothing') throw new OperatorError(sentence);
    say(sentence, { orderId: one.orderId, reference, outcome });
  },
};

/** The refunds of a transfer leave `transfers list` when staff have sent the money from their own account. */
export const sentTransferCommand: ShopCommand = {
  name: 'transfers done',
  summary: 'records that you sent the refunds of an order by hand, which takes them off the list',
  words: ['order'],
  options: auditOptions,
  inShop: async (given, { deps, done: say }) => {
    const text = requireOption(given, 'order');
    const named = await requireTransfers(deps, text);
    const [{ orderId, transfer }] = named;
    const sent = await deps.db.transaction(async (tx) => {
      const amounts = await markRefundsSent(tx, named, deps.clock());
      if (amounts.length === 0) throw new OperatorError(`No refund of ${text} waits to be sent by hand.`);
      const detail = { sent: amounts.map(amountOf).join(', ') };
      const change = { command: 'transfers done', brand: transfer.brand, subject: orderId, detail };
      await writeAudit(tx, given, change, deps);
      return detail.sent;
    });
    say(`The refund of order ${orderId} is recorded as sent: ${sent}.`, { orderId, sent });
  },
};
