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
import { statementRows } from '#server/db/driver-results.ts';
import type { Deps } from '#server/deps.ts';
import { showsOutbox } from '#server/account/email/outbox-page.ts';
import { monthsBefore } from '#server/runtime/clock.ts';
import { inSteps } from './run-concurrently.ts';

const batch = 500;

/**
 * Removes what has ended, in steps, so that no statement holds a table for long, whatever has piled up. Answers how many rows went.
 */
export async function deleteExpiredRows({ db, clock, env }: Deps, stopping?: AbortSignal): Promise<number> {
  let gone = 0;
  for (const ended of endedBy(clock(), env)) {
    const full = ended.most ?? batch;
    gone += await inSteps({ full, stopping }, () => removeSome({ db }, ended, full));
    if (stopping?.aborted) break;
  }
  return gone;
}

/** By their primary key, which may have several columns. A table of its own for the keys makes sure that they are read once. */
async function removeSome({ db }: Pick<Deps, 'db'>, { table, by, due }: Ended, most: number): Promise<number> {
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
/** How long a proof is kept after its transfer has ended: payers dispute what they paid for about as long. */
const proofKeptMs = 90 * dayMs;

/** Rows of a table that are due to go. */
interface Ended {
  readonly table: PgTable;
  /** by which an index finds them, the oldest first */
  readonly by: PgColumn;
  readonly due: SQL | undefined;
  /** how many go at once, where they are large */
  readonly most?: number;
}

/**
 * What has ended by `now` (epoch milliseconds). Codes and boxes stay a day longer, and links a month, so that whoever
 * comes late hears "too old" and not "unknown". Signed notices older than five minutes are refused anyway; a month is
 * for looking things up. Sign-ins, with their addresses, and analytics stay as long as the installation says.
 */
function endedBy(now: number, env: Deps['env']): readonly Ended[] {
  const before = (table: PgTable, by: PgColumn, instant: number): Ended => ({ table, by, due: lte(by, instant) });
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
    // as long as payers dispute
    before(strayNotices, strayNotices.receivedAt, now - 6 * monthMs),
    // a mailbox may exist again
    before(mailBounces, mailBounces.at, now - 24 * monthMs),
    before(loginRecords, loginRecords.at, monthsBefore(now, env.SIGN_INS_KEPT_MONTHS)),
    before(analyticsEvents, analyticsEvents.at, monthsBefore(now, env.ANALYTICS_KEPT_MONTHS)),
    ...oldMessages(now, env),
    oldProofs(now),
  ];
}

/**
 * The outbox is a queue and no archive. What has left is empty (send-outbox.ts) and is kept for a day, for looking into
 * a complaint, and so is an SMS that came too late for its code; where `/dev/outbox` is everybody's mailbox, everything
 * for a month, in which every code and link of it has run out. Mail that was never accepted goes after that month, too.
 */
function oldMessages(now: number, env: Deps['env']): readonly Ended[] {
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
 * A proof is needed while its transfer waits or is looked at, and for a while after it has ended. One that belongs to no
 * transfer any more, because a better one came, is kept as long as if its transfer had ended at once.
 */
function oldProofs(now: number): Ended {
  const before = now - proofKeptMs;
  const needed = sql`select 1 from ${transfers} where ${transfers.objectId} = ${uploads.objectId}
    and (${transfers.state} = 'reviewing' or greatest(${transfers.expiresAt}, ${transfers.reviewedAt}) > ${before})`;
  const due = and(lte(uploads.createdAt, before), sql`not exists (${needed})`);
  return { table: uploads, by: uploads.createdAt, due, most: 5 };
}
