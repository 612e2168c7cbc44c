import { asc, eq, sql } from 'drizzle-orm';
import { outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';

type Message = typeof outbox.$inferSelect;

const batch = 20;
const firstRetryMs = 30_000;
const longestRetryMs = 6 * 60 * 60_000;
const maxTries = 12;
/** An SMS is about a code of ten minutes: a later one would cost money and help nobody. */
const smsLifetimeMs = 15 * 60_000;

/**
 * Sends the mail and the SMS that are due. Claiming sets the next try, later each time, so a crash while sending delays
 * a message and loses none; it may arrive twice, which is the lesser evil. Answers how many were sent.
 */
export async function sendOutbox(deps: Deps): Promise<number> {
  const { db, clock, log } = deps;
  let sent = 0;
  for (const message of await claimDue(deps)) {
    const { id, channel, tries } = message;
    try {
      await sendOne(deps, message);
      await db.update(outbox).set({ sentAt: clock() }).where(eq(outbox.id, id));
      sent += 1;
    } catch (error) {
      log.warn({ err: error, messageId: id, channel, tries }, 'a message was not accepted and will be tried again');
    }
  }
  return sent;
}

function claimDue({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Message[]> {
  const now = clock();
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      sql`${outbox.sentAt} is null and ${outbox.nextTryAt} <= ${now} and ${outbox.tries} < ${maxTries}
        and (${outbox.channel} <> 'sms' or ${outbox.createdAt} > ${now - smsLifetimeMs})`,
    )
    .orderBy(asc(outbox.nextTryAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  const wait = sql`least(${longestRetryMs}::bigint, ${firstRetryMs}::bigint * (1::bigint << ${outbox.tries}))`;
  return db
    .update(outbox)
    .set({ tries: sql`${outbox.tries} + 1`, nextTryAt: sql`${now}::bigint + ${wait}` })
    .where(sql`${outbox.id} in ${due}`)
    .returning();
}

async function sendOne({ mailer, sms, catalog, env }: Deps, message: Message): Promise<void> {
  const { brand, channel, recipient: to, subject, text, html } = message;
  if (channel === 'sms') return sms.send({ to, text });
  const from = `${mailName(catalog.byCode(brand)?.name ?? brand)} <${env.MAIL_FROM}>`;
  return mailer.send({ from, to, subject, text, html });
}

/** A display name that needs no quoting in a header. */
function mailName(name: string): string {
  return name.replace(/[^\p{L}\p{N} .-]/gu, '').trim() || 'Shop';
}
