import { eq, sql } from 'drizzle-orm';
import type { Database } from './db/connect.ts';
import { throttles } from './db/schema.ts';

export interface Limit {
  /** tries that are allowed in one window */
  readonly tries: number;
  readonly windowMs: number;
}

export interface Taken {
  readonly allowed: boolean;
  /** until the window ends; 0 when allowed */
  readonly waitSeconds: number;
}

/**
 * Counts one try and tells whether it is still within the limit: one statement, so that tries at the same moment, in
 * whatever process, are all counted. A window starts with its first try. `now` is epoch milliseconds.
 */
export async function takeTry(db: Database, key: string, limit: Limit, now: number): Promise<Taken> {
  const resetsAt = now + limit.windowMs;
  const [row] = await db
    .insert(throttles)
    .values({ key, count: 1, resetsAt })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        count: sql`case when ${throttles.resetsAt} <= ${now} then 1 else ${throttles.count} + 1 end`,
        resetsAt: sql`case when ${throttles.resetsAt} <= ${now} then ${resetsAt} else ${throttles.resetsAt} end`,
      },
    })
    .returning();
  if (!row || row.count <= limit.tries) return { allowed: true, waitSeconds: 0 };
  return { allowed: false, waitSeconds: Math.max(1, Math.ceil((row.resetsAt - now) / 1000)) };
}

/** Forgets the tries, as a success does. */
export async function forgetTries(db: Database, key: string): Promise<void> {
  await db.delete(throttles).where(eq(throttles.key, key));
}
