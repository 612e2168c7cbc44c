import { and, eq, sql } from 'drizzle-orm';
import * as v from 'valibot';
import type { refundViewSchema } from '../gateway/protocol.ts';
import { sandboxCharges, sandboxNotices } from '../schema.ts';
import type { Bank, Charge } from './bank.ts';
import { noticeOf } from './notices.ts';

type RefundView = v.InferOutput<typeof refundViewSchema>;

/** Refunds the remaining amount, once. False if nothing was charged. */
export async function refundCharge({ db }: Bank, key: string): Promise<boolean> {
  const updated = await db
    .update(sandboxCharges)
    .set({ status: 'refunded' })
    .where(sql`${sandboxCharges.key} = ${key} and ${sandboxCharges.status} in ('paid', 'refunded')`)
    .returning({ key: sandboxCharges.key });
  return updated.length > 0;
}

const partsSchema = v.object({
  refunds: v.optional(v.record(v.string(), v.object({ amount: v.number(), doneAt: v.number() })), {}),
});

/** The partial refunds of a charge, in minor units; `names` are numbers of the server, or names of the bank's own. */
export function partsOf({ details }: Pick<Charge, 'details'>): { readonly sum: number; readonly names: string[] } {
  const { refunds } = v.parse(partsSchema, details);
  const sum = Object.values(refunds).reduce((all, { amount }) => all + amount, 0);
  return { sum, names: Object.keys(refunds) };
}

/** Delay of a late partial refund, in milliseconds. */
const lateMs = 60_000;

/**
 * Refunds a part, once for each name. The last two digits of the amount decide: 91 is refused for good, 92 is refunded
 * and its answer lost the first time, 93 is recorded and refunded a minute later, with a notice.
 */
export async function refundPart(
  bank: Bank,
  key: string,
  { name, amount }: { readonly name: string; readonly amount: number },
): Promise<RefundView | 'lost'> {
  return bank.db.transaction(async (tx) => {
    const [charge] = await tx.select().from(sandboxCharges).where(eq(sandboxCharges.key, key)).for('update');
    if (!charge) return { done: false, never: 'the bank does not know this payment' };
    const now = bank.clock();
    const { refunds } = v.parse(partsSchema, charge.details);
    const known = refunds[name];
    if (known) return known.amount === amount ? { done: known.doneAt <= now } : refused('another part has this number');
    if (charge.status !== 'paid') return refused('there is nothing left of this payment');
    if (amount <= 0 || partsOf(charge).sum + amount > charge.amount) return refused('that is more than is left');
    if (amount % 100 === 91) return refused('the bank gives no part of this payment back');
    const isLate = amount % 100 === 93;
    const updated = { ...refunds, [name]: { amount, doneAt: isLate ? now + lateMs : now } };
    await tx
      .update(sandboxCharges)
      .set({ details: { ...charge.details, refunds: updated } })
      .where(and(eq(sandboxCharges.key, key)));
    if (isLate) {
      const part = { number: Number(name), amount };
      const notice = noticeOf(bank, charge, 'refund', { stage: 'succeeded', part, delayMs: lateMs });
      await tx.insert(sandboxNotices).values(notice);
      return { done: false };
    }
    return amount % 100 === 92 ? 'lost' : { done: true };
  });
}

const refused = (never: string): RefundView => ({ done: false, never });
