import { and, eq, isNull, sql } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import { attachedReceipt } from '#server/billing/receipts.ts';
import {
  isWaitingMessage,
  laneOf,
  maxMailTries,
  outbox,
  outboxLanes,
  type OutboxLane,
} from '#server/db/schema/outbox.ts';
import type { Deps } from '#server/deps.ts';
import { showsOutbox } from '#server/account/email/outbox-page.ts';
import { bounceOf, recordBounce } from '#server/messages/bounces.ts';
import { AddressRejected, sendTimeoutMs, type Attachment, MailServerUnusable } from '#server/messages/mailer.ts';
import { MessageRefused } from '#server/messages/sms.ts';
import { offersUrl, wantsOffers } from '#server/account/settings/offers.ts';
import { runConcurrently, runInBatches, waitingBrands } from './run-concurrently.ts';

type Message = typeof outbox.$inferSelect;

const batch = 20;
/** How many messages of a lane are sent concurrently. */
const atOnce: Readonly<Record<OutboxLane, number>> = {
  smsCodes: 5,
  smsUsual: 2,
  mailCodes: 5,
  mailUsual: 5,
  offers: 3,
};
// as: the keys of an object without an index signature
export const laneNames = Object.keys(outboxLanes) as OutboxLane[];
/** Duration of a claim, in milliseconds: longer than `sendTimeoutMs`, after which a send is aborted. */
const leaseMs = sendTimeoutMs + 30_000;
/** An older claim is renewed before its message is sent, in milliseconds. */
const freshMs = 5000;
const firstRetryMs = 30_000;
/** Characters of the answer that is stored; a mail server can write pages. */
const mostOfAnswer = 200;
const longestRetryMs = 6 * 60 * 60_000;
/**
 * While the mail server cannot be used, nothing is known of the message, so no attempt is counted: for as long as
 * RFC 5321, section 4.5.4.1, recommends, and after ever longer pauses. In milliseconds.
 */
const mailPatienceMs = 5 * 24 * 60 * 60_000;
const longestPauseMs = 60 * 60_000;
/**
 * An SMS without its own expiry contains a code that is valid for ten minutes: sending it later costs money for
 * nothing.
 */
const smsLifetimeMs = 15 * 60_000;

/**
 * Sends what is due in one lane. Codes, other messages and offers, and SMS and email, are separate lanes with their
 * own claims, concurrency and job: a customer waits for a code while a campaign takes minutes or an SMS provider does
 * not answer. Within a lane the brands take turns, so a campaign of one does not delay the email of another.
 *
 * A claim expires, so a crash while sending delays a message and loses none; it may arrive twice. A claim that waited
 * behind slow ones is renewed first, because another process may have claimed it.
 *
 * The statement that records a message as sent also empties it, because its links and codes open accounts; so does the
 * last failed try. Only where `/dev/outbox` replaces real mailboxes the texts stay. Returns how many were sent.
 */
export async function sendLane(deps: Deps, lane: OutboxLane, stopping?: AbortSignal): Promise<number> {
  let sent = 0;
  await runInBatches({ full: batch, stopping }, async () => {
    const claimedAt = deps.clock();
    const claimed = await claimDue(deps, lane);
    await runConcurrently(claimed, atOnce[lane], async (message) => {
      if ((await isStillClaimed(deps, message, claimedAt)) && (await trySend(deps, message))) sent += 1;
    });
    return claimed.length;
  });
  return sent;
}

/** Sends what is due in all lanes. Returns how many were sent. */
export async function sendOutbox(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const sent = await Promise.all(laneNames.map((lane) => sendLane(deps, lane, stopping)));
  return sent.reduce((sum, count) => sum + count, 0);
}

/** Renews an old claim; false if another process has claimed the message. */
async function isStillClaimed({ db, clock }: Deps, { id, tries }: Message, claimedAt: number): Promise<boolean> {
  const now = clock();
  if (now - claimedAt < freshMs) return true;
  const own = and(eq(outbox.id, id), eq(outbox.tries, tries), isNull(outbox.sentAt));
  const renewed = await db
    .update(outbox)
    .set({ nextTryAt: now + leaseMs })
    .where(own)
    .returning({ id: outbox.id });
  return renewed.length > 0;
}

async function trySend(deps: Deps, message: Message): Promise<boolean> {
  const { db, clock, log, env } = deps;
  const { id, channel, tries } = message;
  const update = (columns: Partial<Message>) => db.update(outbox).set(columns).where(eq(outbox.id, id));
  const emptied = showsOutbox(env) ? {} : withoutSecrets(message);
  try {
    if (isTooLate(message, clock())) {
      log.warn({ messageId: id, channel }, 'a message was too old to be sent');
      await update({ tries: maxMailTries, lastAnswer: 'too old to be sent', ...emptied });
      return false;
    }
    const lastAnswer = !(await acceptsOffers(deps, message)) ? 'unsubscribed' : await bouncedBefore(deps, message);
    if (lastAnswer !== undefined) {
      await update({ tries: maxMailTries, lastAnswer, ...emptied });
      return false;
    }
    await sendOne(deps, message);
    await update({ sentAt: clock(), ...emptied });
    return true;
  } catch (error) {
    if (error instanceof AddressRejected) await recordBounce(deps, message.recipient, 'permanent', clock());
    const lastAnswer = (error instanceof Error ? error.message : String(error)).slice(0, mostOfAnswer);
    const next = nextTry(message, error, clock());
    const isLast = next === undefined;
    await update(isLast ? { tries: maxMailTries, lastAnswer, ...emptied } : { ...next, lastAnswer });
    const why = error instanceof MailServerUnusable ? { reason: `SMTP_URL: ${error.message}` } : { err: error };
    log.warn({ ...why, messageId: id, channel, tries: next?.tries ?? tries, isLast }, 'a message was not accepted');
    return false;
  }
}

/** When a message is tried again; undefined if it is given up. */
function nextTry(
  { tries, createdAt }: Message,
  error: unknown,
  now: number,
): Pick<Message, 'tries' | 'nextTryAt'> | undefined {
  const ageMs = now - createdAt;
  if (error instanceof MailServerUnusable) {
    if (ageMs >= mailPatienceMs) return undefined;
    const pauseMs = Math.min(longestPauseMs, Math.max(firstRetryMs, ageMs / 2));
    return { tries: tries - 1, nextTryAt: now + pauseMs };
  }
  if (tries >= maxMailTries || error instanceof MessageRefused) return undefined;
  return { tries, nextTryAt: now + Math.min(longestRetryMs, firstRetryMs * 2 ** (tries - 1)) };
}

function isTooLate({ channel, createdAt, expiresAt }: Message, now: number): boolean {
  const ends = expiresAt ?? (channel === 'sms' ? createdAt + smsLifetimeMs : null);
  return ends !== null && ends <= now;
}

/** What remains for complaints: the time, the brand and the masked recipient. A subject can contain a code. */
function withoutSecrets({ recipient }: Message) {
  return { recipient: maskAccount(recipient), subject: '', text: '', html: '', receipt: null };
}

/** The next messages of a lane, one of each brand in turn. */
function claimDue({ db, clock }: Pick<Deps, 'db' | 'clock'>, lane: OutboxLane): Promise<Message[]> {
  const now = clock();
  const waits = sql`${laneOf(outbox)} = ${outboxLanes[lane]}::int and ${isWaitingMessage(outbox)}`;
  const claimed = sql`with recursive ${waitingBrands(outbox.brand, waits)}, due as materialized (
      select next.* from waiting_brands cross join lateral (
        select ${outbox.id}, ${outbox.brand}, ${outbox.nextTryAt} from ${outbox}
        where ${waits} and ${outbox.brand} = waiting_brands.brand and ${outbox.nextTryAt} <= ${now}
        order by ${outbox.nextTryAt} limit ${batch} for update skip locked
      ) next where waiting_brands.brand is not null
    )
    select id from (
      select id, next_try_at, row_number() over (partition by brand order by next_try_at) as turn from due
    ) ranked order by turn, next_try_at limit ${batch}`;
  return db
    .update(outbox)
    .set({ tries: sql`${outbox.tries} + 1`, nextTryAt: now + leaseMs })
    .where(sql`${outbox.id} = any(array(${claimed}))`)
    .returning();
}

/** An offer may wait in the outbox for long, and the customer may have unsubscribed meanwhile. */
async function acceptsOffers({ db }: Pick<Deps, 'db'>, { brand, offersTo: uid }: Message): Promise<boolean> {
  return uid === null || wantsOffers(db, { brand, uid });
}

/** Email that bounced permanently is not sent to the address again, except what its owner requests now. */
async function bouncedBefore(deps: Pick<Deps, 'db' | 'env' | 'log'>, message: Message): Promise<string | undefined> {
  const { id, channel, asked, recipient, offersTo } = message;
  if (channel === 'sms' || asked) return undefined;
  const kind = await bounceOf(deps, recipient);
  const stops = kind === 'permanent' || (kind === 'complaint' && offersTo !== null);
  if (stops) deps.log.info({ messageId: id, kind }, 'an email was not sent, because its address bounced before');
  return stops ? `not sent, because its address has a bounce (${kind})` : undefined;
}

async function sendOne(deps: Deps, message: Message): Promise<void> {
  const { mailer, sms, catalog, env } = deps;
  const { id, tries, brand, channel, recipient: to, subject, text, html, offersTo: uid } = message;
  if (channel === 'sms') {
    if (!sms) throw new Error('no SMS can be sent, because no provider is configured');
    return sms.send({ to, text }, { id, isAgain: tries > 1 });
  }
  const known = catalog.byCode(brand);
  const own = known?.mailFrom ?? undefined;
  const from = `${mailName(known?.name ?? brand)} <${own ?? env.MAIL_FROM}>`;
  const isUnsigned = own !== undefined && !isOfDomain(own, env.MAIL_DKIM_DOMAIN);
  const unsubscribe = uid !== null && known ? { unsubscribeUrl: offersUrl(env, known, uid) } : {};
  const attachments = await attachedTo(deps, message);
  return mailer.send({ from, to, subject, text, html, attachments, isUnsigned, ...unsubscribe });
}

/**
 * The receipt is drawn for each try, because tries are few and rows are many. A failure does not block the email: it
 * contains a link.
 */
async function attachedTo(deps: Deps, { id, brand, receipt }: Message): Promise<Attachment[]> {
  // nothing is sent, so the file would never be opened
  if (!receipt || showsOutbox(deps.env)) return [];
  try {
    const file = await attachedReceipt(deps, brand, receipt);
    return file ? [{ filename: file.name, content: file.pdf, contentType: 'application/pdf' }] : [];
  } catch (error) {
    deps.log.error({ err: error, messageId: id }, 'a receipt could not be generated');
    return [];
  }
}

/** Whether an address is of a domain, or of one below it. */
function isOfDomain(address: string, domain: string | undefined): boolean {
  const own = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domain !== undefined && (own === domain || own.endsWith(`.${domain}`));
}

/** A display name that needs no quoting in a header. */
function mailName(name: string): string {
  return name.replace(/[^\p{L}\p{N} .-]/gu, '').trim() || 'Shop';
}
