import { sql } from 'drizzle-orm';
import { sandboxCharges, sandboxNotices } from '../../db/schema.ts';
import { changeCharge, type Bank, type Charge } from './books.ts';
import type { Notice } from './notices.ts';

type Change = Partial<typeof sandboxCharges.$inferInsert>;

/**
 * Changes a charge that waits, if its details are still those that were read: of two at once the second one changes
 * nothing, and reads again. What is to be told of it goes with it. True when it was changed.
 */
export function changeAsRead(
  bank: Bank,
  charge: Charge,
  change: Change,
  tell: (changed: Charge) => readonly Notice[] = () => [],
): Promise<boolean> {
  const asRead = sql`${sandboxCharges.details} = ${JSON.stringify(charge.details)}::jsonb`;
  return bank.db.transaction(async (tx) => {
    const changed = await changeCharge({ db: tx }, charge, change, asRead);
    const notices = changed ? tell(changed) : [];
    if (notices.length > 0) await tx.insert(sandboxNotices).values([...notices]);
    return changed !== undefined;
  });
}
