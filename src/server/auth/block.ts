import { and, eq } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { users } from '../db/schema.ts';
import { evict } from './evict.ts';
import type { UserRow } from './find-user.ts';

type Who = Pick<UserRow, 'brand' | 'uid'>;

/** Shuts a customer out: every session ends now ([Note: Eviction]), and none is opened. `now` is epoch milliseconds. */
export async function block(db: Database, who: Who, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await setType(tx, who, 'BLOCKED');
    await evict(tx, who, now);
  });
}

/** Lets a customer in again, who then logs in anew. */
export async function unblock(db: Database, who: Who): Promise<void> {
  await setType(db, who, 'MEMBER');
}

async function setType(db: Database, { brand, uid }: Who, userType: string): Promise<void> {
  await db
    .update(users)
    .set({ userType })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)));
}
