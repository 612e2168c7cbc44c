import { and, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import {
  captchas,
  deviceGrants,
  mailLinks,
  outbox,
  sessions,
  spentTokens,
  throttles,
  transfers,
  uploads,
  verificationCodes,
  webhookEvents,
} from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { showsOutbox } from '../email/outbox-page.ts';

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
/** How long a proof is kept after its transfer has ended: payers dispute what they paid for about as long. */
const proofKeptMs = 90 * dayMs;

/**
 * Removes what has ended. Codes and boxes stay a day longer, and links a month, so that whoever comes late hears "too
 * old" and not "unknown". Signed notices older than five minutes are refused anyway; a month is for looking things up.
 * Answers how many rows went.
 */
export async function purgeEnded(deps: Deps): Promise<number> {
  const { db } = deps;
  const now = deps.clock();
  const ended: readonly (readonly [PgTable, SQL | undefined])[] = [
    [sessions, lte(sessions.expiresAt, now)],
    [throttles, lte(throttles.resetsAt, now)],
    [captchas, lte(captchas.expiresAt, now)],
    [spentTokens, lte(spentTokens.expiresAt, now)],
    [verificationCodes, lte(verificationCodes.expiresAt, now - dayMs)],
    [deviceGrants, lte(deviceGrants.expiresAt, now - dayMs)],
    [mailLinks, lte(mailLinks.expiresAt, now - monthMs)],
    [webhookEvents, lte(webhookEvents.receivedAt, now - monthMs)],
    [outbox, oldMessages(deps, now)],
    [uploads, oldProofs(now)],
  ];
  let gone = 0;
  for (const [table, where] of ended) {
    const rows = await db
      .delete(table)
      .where(where)
      .returning({ one: sql`1` });
    gone += rows.length;
  }
  return gone;
}

/**
 * The outbox is a queue and no archive: its texts hold codes, links and addresses. What has left is kept for a day, for
 * looking into a complaint; where `/dev/outbox` is everybody's mailbox, for a month, in which every code and link of it
 * has run out. What was never accepted goes after that month, too.
 */
function oldMessages({ env }: Pick<Deps, 'env'>, now: number): SQL | undefined {
  const sentKeptMs = showsOutbox(env) ? monthMs : dayMs;
  return or(
    and(isNotNull(outbox.sentAt), lte(outbox.sentAt, now - sentKeptMs)),
    and(isNull(outbox.sentAt), lte(outbox.createdAt, now - monthMs)),
  );
}

/**
 * A proof is needed while its transfer waits or is looked at, and for a while after it has ended. One that belongs to no
 * transfer any more, because a better one came, is kept as long as if its transfer had ended at once.
 */
function oldProofs(now: number): SQL | undefined {
  const before = now - proofKeptMs;
  const needed = sql`select 1 from ${transfers} where ${transfers.objectId} = ${uploads.objectId}
    and (${transfers.state} = 'reviewing' or greatest(${transfers.expiresAt}, ${transfers.reviewedAt}) > ${before})`;
  return and(lte(uploads.createdAt, before), sql`not exists (${needed})`);
}
