import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { isWaitingMessage, maxMailTries, outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { inLanes, inSteps } from './in-steps.ts';

type Message = typeof outbox.$inferSelect;

const batch = 20;
const lanes = 5;
const firstRetryMs = 30_000;
const longestRetryMs = 6 * 60 * 60_000;
/** An SMS is about a code of ten minutes: a later one would cost money and help nobody. */
const smsLifetimeMs = 15 * 60_000;

/**
 * Sends the mail and the SMS that are due. Claiming sets the next try, later each time, so a crash while sending delays
 * a message and loses none; it may arrive twice, which is the lesser evil. Answers how many were sent.
 */
export async function sendOutbox(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let sent = 0;
  await inSteps({ full: batch, stopping }, async () => {
    const claimed = await claimDue(deps);
    await inLanes(claimed, lanes, async (message) => {
      if (await trySend(deps, message)) sent += 1;
    });
    return claimed.length;
  });
  return sent;
}

async function trySend(deps: Deps, message: Message): Promise<boolean> {
  const { db, clock, log } = deps;
  const { id, channel, tries } = message;
  try {
    if (isTooLate(message, clock())) {
      log.warn({ messageId: id, channel }, 'a message was too old to be sent');
      await db.update(outbox).set({ tries: maxMailTries }).where(eq(outbox.id, id));
      return false;
    }
    await sendOne(deps, message);
    await db.update(outbox).set({ sentAt: clock() }).where(eq(outbox.id, id));
    return true;
  } catch (error) {
    log.warn({ err: error, messageId: id, channel, tries }, 'a message was not accepted and will be tried again');
    return false;
  }
}

function isTooLate({ channel, createdAt }: Message, now: number): boolean {
  return channel === 'sms' && createdAt <= now - smsLifetimeMs;
}

function claimDue({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Message[]> {
  const now = clock();
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isWaitingMessage(outbox), lte(outbox.nextTryAt, now)))
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
