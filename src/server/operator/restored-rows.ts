import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { deletedUserType } from '#server/auth/users.ts';
import type { Database } from '#server/db/connect.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { campaigns } from '#server/db/schema/offers.ts';
import { isWaitingMessage, maxMailTries, outbox } from '#server/db/schema/outbox.ts';
import { passkeyChallenges } from '#server/db/schema/passkeys.ts';
import { pushMessages } from '#server/db/schema/push.ts';
import { captchas, deviceGrants, mailLinks, messageRequests, verificationCodes } from '#server/db/schema/sign-in.ts';
import { isWaitingDelivery, maxWebhookTries, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { runningProcesses } from '#server/db/lock.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { requireOption, OperatorError, instantOf, type ShopCommand } from './command.ts';
import { counted } from './wording.ts';

const weekMs = 7 * 86_400_000;

/** What was changed after a restore, in numbers of rows. */
interface RestoreSummary {
  readonly sessions: number;
  readonly messages: number;
  readonly heldRenewals: number;
  readonly toldAgain: number;
}

/**
 * [Note: Restore] A restored shop is in the state of its backup, while providers, mailboxes and customers have moved
 * on. This corrects its rows in one transaction before the start; `now` is epoch milliseconds.
 *
 * - Pending payments are queried as usual. Later purchases are missing; a customer's key leads to the same attempt id
 *   (`deriveId`), so that a retry meets the first charge where a gateway remembers keys, and notices of unknown payments
 *   are stored (`orders unknown`).
 * - Renewals due before the restore are suspended: no charge is made until their gateway or an operator has confirmed
 *   the state, and access continues for a week meanwhile. Notices of later charges are sent again, because a customer
 *   may have turned the renewal off since.
 * - Sessions, codes, links and other credentials end, and known devices are forgotten: a password may have been changed
 *   since because of an attacker. Links that only stop a renewal or undo a change of address stay.
 * - Queued mail and webhooks are not sent, because most of them were. Customers who requested deletion may have cancelled it since, and
 *   have another week.
 */
export async function correctRestoredRows(tx: Database, now: number): Promise<RestoreSummary> {
  const [ended, messages] = [await endAllSessions(tx, now), await dropMessages(tx, now)];
  const heldRenewals = await holdRenewals(tx, now);
  const toldAgain = await repeatNotices(tx, now);
  await tx
    .update(users)
    .set({ leavesAt: now + weekMs })
    .where(and(lt(users.leavesAt, now + weekMs), ne(users.userType, deletedUserType)));
  return { sessions: ended, messages, heldRenewals, toldAgain };
}

const opening: readonly PgTable[] = [
  verificationCodes,
  messageRequests,
  deviceGrants,
  checkoutHandovers,
  passkeyChallenges,
  captchas,
];

/** Ends the sessions of all customers, and links and codes with which one begins. Returns the number of sessions. */
export async function endAllSessions(tx: Database, now: number): Promise<number> {
  const ended = await tx.delete(sessions).returning({ brand: sessions.brand });
  for (const table of opening) await tx.delete(table);
  await tx.delete(mailLinks).where(inArray(mailLinks.purpose, ['confirm', 'reset', 'bind']));
  await tx.update(users).set({ evictions: sql`${users.evictions} + 1`, evictedAt: now });
  return ended.length;
}

async function dropMessages(tx: Database, now: number): Promise<number> {
  const dropped = await tx
    .update(outbox)
    .set({ tries: maxMailTries, subject: '', text: '', html: '' })
    .where(isWaitingMessage(outbox))
    .returning({ id: outbox.id });
  const events = await tx
    .update(webhookDeliveries)
    .set({ tries: maxWebhookTries, lastAnswer: 'not sent, because the database was restored' })
    .where(isWaitingDelivery(webhookDeliveries))
    .returning({ id: webhookDeliveries.eventId });
  const pushes = await tx.delete(pushMessages).returning({ id: pushMessages.id });
  await tx.update(campaigns).set({ finishedAt: now }).where(isNull(campaigns.finishedAt));
  return dropped.length + events.length + pushes.length;
}

async function holdRenewals(tx: Database, now: number): Promise<number> {
  const charge = sql`coalesce(${subscriptions.nextChargeAt}, ${subscriptions.paidUntil})`;
  const isUnknown = and(inArray(subscriptions.status, ['on', 'pastDue']), lt(charge, now));
  const suspended = await tx
    .update(subscriptions)
    .set({ heldUntil: now, dueAt: now })
    .where(or(isUnknown, eq(subscriptions.status, 'renewing')))
    .returning({ uid: subscriptions.uid });
  const holders = tx.select({ uid: subscriptions.uid }).from(subscriptions).where(isNotNull(subscriptions.heldUntil));
  await tx
    .update(users)
    .set({ graceUntil: sql`greatest(${users.graceUntil}, ${now + weekMs}::bigint)` })
    .where(and(inArray(users.uid, holders), lt(users.expiredTime, now + weekMs)));
  return suspended.length;
}

async function repeatNotices(tx: Database, now: number): Promise<number> {
  const { status, heldUntil, noticed, period } = subscriptions;
  const again = await tx
    .update(subscriptions)
    .set({ noticed: 0, dueAt: now })
    .where(and(eq(status, 'on'), isNull(heldUntil), gt(noticed, 0), eq(noticed, period)))
    .returning({ uid: subscriptions.uid });
  return again.length;
}

/** A process that has not renewed its row for so long does not run. */
const lateMs = 45_000;

const stillRuns = (count: number) =>
  `The shop runs on this database, with ${counted(count, 'process', 'processes')}: its sessions and messages would be ` +
  'lost. If it is the live one, name the restored one in DATABASE_URL. If it is the restored one, stop its processes ' +
  'first; one that was killed, or that the backup names, counts for a minute.';

/** Run after `pg_restore` ([Note: Restore]). */
export const restoredCommand: ShopCommand = {
  name: 'restored',
  withoutTimeout: true,
  summary:
    'run after pg_restore and before the shop starts: suspends renewals, ends sessions, discards queued messages',
  options: {
    'backup-at': { required: true, value: 'time', summary: 'when pg_dump began, such as 2026-11-23T02:00:00Z' },
    ...auditOptions,
  },
  inShop: async (given, { deps: { db, clock, env }, done, explain }) => {
    const at = Date.parse(requireOption(given, 'backup-at'));
    if (!(at <= clock())) throw new OperatorError('--backup-at must be a time in the past.', { badUsage: true });
    const running = await runningProcesses(db, env, lateMs);
    if (running.length > 0) throw new OperatorError(stillRuns(running.length));
    const restored = await db.transaction(async (tx) => {
      const settled = await correctRestoredRows(tx, clock());
      const detail = { backupAt: instantOf(at), ...settled };
      await writeAudit(tx, given, { command: 'restored', detail }, { clock, random: systemRandom });
      return settled;
    });
    done('Sessions have ended, queued messages and webhooks are discarded, and renewals are suspended.', {
      ...restored,
    });
    explain(whatIsLeft(instantOf(at)));
  },
};

const whatIsLeft = (at: string | null) =>
  `What happened after ${at} is not in this database. Check the payments at each provider since then, and refund ` +
  'or grant manually what is missing; `orders unknown` lists what providers report once the shop runs. Renewals that ' +
  'were due since then are suspended and queried: `renewals held` lists them after 15 minutes, `renewals release` ' +
  'resumes them. Refunds, blocks, deletions, new passwords and cards since then must be repeated. A brand with invoices ' +
  'needs another invoices.prefix, because numbers given since then would be given again. `webhooks replay --given-up` ' +
  'sends the webhooks that waited.';
