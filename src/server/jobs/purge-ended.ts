import { lte } from 'drizzle-orm';
import { sessions, throttles, webhookEvents } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

/** Signed notices older than five minutes are refused anyway; a month is for looking things up. */
const keptEventsMs = 30 * 86_400_000;

/** Removes what has ended: sessions, counters, notes of old notices. Answers how many rows went. */
export async function purgeEnded({ db, clock }: Deps): Promise<number> {
  const now = clock();
  const gone = [
    await db.delete(sessions).where(lte(sessions.expiresAt, now)).returning({ key: sessions.tokenHash }),
    await db.delete(throttles).where(lte(throttles.resetsAt, now)).returning({ key: throttles.key }),
    await db
      .delete(webhookEvents)
      .where(lte(webhookEvents.receivedAt, now - keptEventsMs))
      .returning({ key: webhookEvents.eventId }),
  ];
  return gone.reduce((sum, rows) => sum + rows.length, 0);
}
