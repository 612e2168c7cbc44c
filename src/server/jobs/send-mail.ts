import { asc, eq, sql } from 'drizzle-orm';
import { outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

const batch = 20;
const firstRetryMs = 30_000;
const longestRetryMs = 6 * 60 * 60_000;
const maxTries = 12;

/**
 * Sends the mail that is due. Claiming sets the next try, later each time, so a crash while sending delays a mail and
 * loses none; it may arrive twice, which is the lesser evil. Answers how many were sent.
 */
export async function sendMail(deps: Deps): Promise<number> {
  const { db, clock, mailer, catalog, env, log } = deps;
  const now = clock();
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(sql`${outbox.sentAt} is null and ${outbox.nextTryAt} <= ${now} and ${outbox.tries} < ${maxTries}`)
    .orderBy(asc(outbox.nextTryAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  const wait = sql`least(${longestRetryMs}::bigint, ${firstRetryMs}::bigint * (1::bigint << ${outbox.tries}))`;
  const claimed = await db
    .update(outbox)
    .set({ tries: sql`${outbox.tries} + 1`, nextTryAt: sql`${now}::bigint + ${wait}` })
    .where(sql`${outbox.id} in ${due}`)
    .returning();
  let sent = 0;
  for (const { id, brand, recipient: to, subject, text, html, tries } of claimed) {
    const from = `${mailName(catalog.byCode(brand)?.name ?? brand)} <${env.MAIL_FROM}>`;
    try {
      await mailer.send({ from, to, subject, text, html });
      await db.update(outbox).set({ sentAt: clock() }).where(eq(outbox.id, id));
      sent += 1;
    } catch (error) {
      log.warn({ err: error, mailId: id, tries }, 'a mail was not accepted and will be tried again');
    }
  }
  return sent;
}

/** A display name that needs no quoting in a header. */
function mailName(name: string): string {
  return name.replace(/[^\p{L}\p{N} .-]/gu, '').trim() || 'Shop';
}
