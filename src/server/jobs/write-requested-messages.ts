import { eq, inArray, sql } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';
import { messageRequests } from '#server/db/schema/sign-in.ts';
import type { Deps } from '#server/deps.ts';
import { writeRequestedMessage } from '#server/account/email/write-requested-message.ts';
import { waitingBrands } from './run-concurrently.ts';

/** A code that arrives later is useless, and the customer has requested another one. */
const lifetimeMs = 15 * 60_000;
const batch = 100;

/**
 * Writes the requested messages ([Note: Message requests]). Each is taken and written in one transaction, so a crash
 * neither loses nor doubles one; a failed one stays and does not block others. Returns how many were done.
 */
export async function writeRequestedMessages(deps: Deps): Promise<number> {
  const { db, log } = deps;
  const waiting = await nextIds(db);
  let done = 0;
  for (const id of waiting) {
    try {
      if (await db.transaction((tx) => takeAndWrite(tx, id, deps))) done += 1;
    } catch (error) {
      log.error(
        { reason: plainReason(error), messageRequestId: id },
        'a requested message could not be written and will be tried again',
      );
    }
  }
  return done;
}

/**
 * The first of each brand, then the second of each, so that a flood at one brand delays no code of another. The range
 * of brands instead of equality makes the planner use the index `message_requests_turn`: by time alone, a brand's rows
 * may be behind a whole flood.
 */
async function nextIds(db: Database): Promise<string[]> {
  const rows = await statementRows(
    db,
    sql`with recursive ${waitingBrands(messageRequests.brand, sql`true`)}
      select next.id from waiting_brands cross join lateral (
        select id, created_at, row_number() over (order by brand, created_at) as turn from message_requests
        where brand >= waiting_brands.brand and brand <= waiting_brands.brand
        order by brand, created_at limit ${batch}
      ) next where waiting_brands.brand is not null
      order by next.turn, next.created_at limit ${batch}`,
  );
  return rows.map(({ id }) => String(id));
}

/** False if another process has it. */
async function takeAndWrite(tx: Database, id: string, deps: Deps): Promise<boolean> {
  const free = tx
    .select({ id: messageRequests.id })
    .from(messageRequests)
    .where(eq(messageRequests.id, id))
    .for('update', { skipLocked: true });
  const [request] = await tx.delete(messageRequests).where(inArray(messageRequests.id, free)).returning();
  if (!request) return false;
  const brand = deps.catalog.byCode(request.brand);
  const ageMs = deps.clock() - request.createdAt;
  if (brand && ageMs < lifetimeMs) await writeRequestedMessage(tx, brand, request, deps);
  else {
    const { kind, brand: code } = request;
    deps.log.warn({ messageRequestId: id, kind, brand: code, ageMs }, 'a requested message is too old, or of no brand');
  }
  return true;
}

/** The database's message without the statement: its parameters are codes and links, which must not be logged. */
function plainReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? error.cause.message : error.name;
}
