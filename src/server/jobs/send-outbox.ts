import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { maskAccount } from '../../contract/mask.ts';
import { isWaitingMessage, maxMailTries, outbox } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { showsOutbox } from '../email/outbox-page.ts';
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
 *
 * The statement that notes that a message has left also empties it: links and codes open accounts, and whoever reads a
 * copy of the database should not find them. One that nobody tries again is emptied as well. Only where `/dev/outbox`
 * stands for the world's mailboxes, and nothing leaves, the texts stay.
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
  const { db, clock, log, env } = deps;
  const { id, channel, tries } = message;
  const note = (columns: Partial<Message>) => db.update(outbox).set(columns).where(eq(outbox.id, id));
  const emptied = showsOutbox(env) ? {} : withoutSecrets(message);
  try {
    if (isTooLate(message, clock())) {
      log.warn({ messageId: id, channel }, 'a message was too old to be sent');
      await note({ tries: maxMailTries, ...emptied });
      return false;
    }
    await sendOne(deps, message);
    await note({ sentAt: clock(), ...emptied });
    return true;
  } catch (error) {
    const isLast = tries >= maxMailTries;
    if (isLast) await note({ tries, ...emptied });
    log.warn({ err: error, messageId: id, channel, tries, isLast }, 'a message was not accepted');
    return false;
  }
}

function isTooLate({ channel, createdAt }: Message, now: number): boolean {
  return channel === 'sms' && createdAt <= now - smsLifetimeMs;
}

/** What is left for looking into a complaint: when, of which brand, and to whom about. A subject can hold a code. */
function withoutSecrets({ recipient }: Message) {
  return { recipient: maskAccount(recipient), subject: '', text: '', html: '' };
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
    .where(sql`${outbox.id} = any(array${due})`)
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
