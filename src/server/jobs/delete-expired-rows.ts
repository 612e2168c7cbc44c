import { and, eq, isNotNull, lte, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { strayNotices, webhookEvents } from '#server/db/schema/ledger.ts';
import { isUndeliverable, mailBounces, outbox } from '#server/db/schema/outbox.ts';
import { passkeyChallenges } from '#server/db/schema/passkeys.ts';
import {
  captchas,
  deviceGrants,
  mailLinks,
  usedTokens,
  throttles,
  verificationCodes,
} from '#server/db/schema/sign-in.ts';
import { transfers, uploads } from '#server/db/schema/transfers.ts';
import { loginRecords, sessions } from '#server/db/schema/users.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { statementRows } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { showsOutbox } from '#server/account/email/outbox-page.ts';
import { monthsBefore } from '#server/runtime/clock.ts';
import { runInBatches } from './run-concurrently.ts';

const batch = 500;

/** Deletes expired rows in batches, so that no statement locks a table for long. Returns how many rows were deleted. */
export async function deleteExpiredRows({ db, clock, env }: Deps, stopping?: AbortSignal): Promise<number> {
  let gone = 0;
  for (const ended of expiredBy(clock(), env)) {
    const full = ended.most ?? batch;
    gone += await runInBatches({ full, stopping }, () => deleteBatch({ db }, ended, full));
    if (stopping?.aborted) break;
  }
  return gone;
}

/** Deletes by primary key, which may have several columns. The CTE makes sure that the keys are read once. */
async function deleteBatch({ db }: Pick<Deps, 'db'>, { table, by, due }: ExpiredRows, most: number): Promise<number> {
  const keys = keysOf(table);
  const names = sql.join(
    keys.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  const ended = sql`select ${names} from ${table} where ${due} order by ${by} limit ${most} for update skip locked`;
  const isEnded = and(...keys.map((key) => sql`${key} = ended.${sql.identifier(key.name)}`));
  const gone = await statementRows(
    db,
    sql`with ended as (${ended}) delete from ${table} using ended where ${isEnded} returning 1 as one`,
  );
  return gone.length;
}

function keysOf(table: PgTable): readonly PgColumn[] {
  const { primaryKeys, columns } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** Retention of a proof of payment after its transfer has ended: payers can dispute for about as long. */
const proofKeptMs = 90 * dayMs;

/** Rows of a table that are due for deletion. */
interface ExpiredRows {
  readonly table: PgTable;
  /** an indexed column, oldest first */
  readonly by: PgColumn;
  readonly due: SQL | undefined;
  /** the batch size for large rows */
  readonly most?: number;
}

/**
 * What has expired by `now` (epoch milliseconds). Codes and device grants stay a day longer, and links a month, so
 * that a late customer is told "expired" instead of "unknown". Notices stay a month for investigations, although
 * signed ones older than five minutes are refused. Retention of logins and analytics is configured.
 */
function expiredBy(now: number, env: Deps['env']): readonly ExpiredRows[] {
  const before = (table: PgTable, by: PgColumn, instant: number): ExpiredRows => ({ table, by, due: lte(by, instant) });
  return [
    before(sessions, sessions.expiresAt, now),
    before(throttles, throttles.resetsAt, now),
    before(captchas, captchas.expiresAt, now),
    before(passkeyChallenges, passkeyChallenges.expiresAt, now),
    before(usedTokens, usedTokens.expiresAt, now),
    before(verificationCodes, verificationCodes.expiresAt, now - dayMs),
    before(deviceGrants, deviceGrants.expiresAt, now - dayMs),
    before(checkoutHandovers, checkoutHandovers.expiresAt, now - dayMs),
    before(mailLinks, mailLinks.expiresAt, now - monthMs),
    before(webhookEvents, webhookEvents.receivedAt, now - monthMs),
    before(webhookDeliveries, webhookDeliveries.createdAt, now - monthMs),
    // as long as payers can dispute
    before(strayNotices, strayNotices.receivedAt, now - 6 * monthMs),
    // the mailbox may exist again
    before(mailBounces, mailBounces.at, now - 24 * monthMs),
    before(loginRecords, loginRecords.at, monthsBefore(now, env.SIGN_INS_KEPT_MONTHS)),
    before(analyticsEvents, analyticsEvents.at, monthsBefore(now, env.ANALYTICS_KEPT_MONTHS)),
    ...oldMessages(now, env),
    oldProofs(now),
  ];
}

/**
 * The outbox is a queue, not an archive. A sent message is emptied (`send-outbox.ts`) and kept for a day to answer
 * complaints; so is an SMS that missed the lifetime of its code. Where `/dev/outbox` replaces real mailboxes,
 * everything stays for a month, in which all its codes and links expire. Email that was never accepted is deleted
 * after a month too.
 */
function oldMessages(now: number, env: Deps['env']): readonly ExpiredRows[] {
  const sentKeptMs = showsOutbox(env) ? monthMs : dayMs;
  const { sentAt, createdAt, channel } = outbox;
  return [
    { table: outbox, by: sentAt, due: and(isNotNull(sentAt), lte(sentAt, now - sentKeptMs)) },
    {
      table: outbox,
      by: createdAt,
      due: and(isUndeliverable(outbox), eq(channel, 'sms'), lte(createdAt, now - sentKeptMs)),
    },
    { table: outbox, by: createdAt, due: and(isUndeliverable(outbox), lte(createdAt, now - monthMs)) },
  ];
}

/**
 * A proof of payment is needed while its transfer waits or is reviewed, and for a while after. One that was replaced
 * by a better picture is retained as if its transfer had ended at once.
 */
function oldProofs(now: number): ExpiredRows {
  const before = now - proofKeptMs;
  const needed = sql`select 1 from ${transfers} where ${transfers.objectId} = ${uploads.objectId}
    and (${transfers.state} = 'reviewing' or greatest(${transfers.expiresAt}, ${transfers.reviewedAt}) > ${before})`;
  const due = and(lte(uploads.createdAt, before), sql`not exists (${needed})`);
  return { table: uploads, by: uploads.createdAt, due, most: 5 };
}
