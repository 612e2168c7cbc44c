import { eq, inArray, sql } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';
import { throttles, usedTokens } from '#server/db/schema/sign-in.ts';
import { networksOf } from '../request/network.ts';

export interface Limit {
  /** number of tries allowed in one window */
  readonly tries: number;
  readonly windowMs: number;
}

export interface TryResult {
  readonly allowed: boolean;
  /** until the window ends; 0 when allowed */
  readonly waitSeconds: number;
  /** tries of this window, this one included */
  readonly count: number;
  /** when the window ends, in epoch milliseconds */
  readonly resetsAt: number;
}

/**
 * Counts one try and returns whether it is within the limit: one statement, so that concurrent tries in any process are
 * all counted. A window starts with its first try. `now` is epoch milliseconds; `weight` is for a call that contains
 * several tries.
 */
export async function countTry(db: Database, key: string, limit: Limit, now: number, weight = 1): Promise<TryResult> {
  const resetsAt = now + limit.windowMs;
  const [row] = await db
    .insert(throttles)
    .values({ key, count: weight, resetsAt })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        count: sql`case when ${throttles.resetsAt} <= ${now} then ${weight}::int else ${throttles.count} + ${weight}::int end`,
        resetsAt: sql`case when ${throttles.resetsAt} <= ${now} then ${resetsAt} else ${throttles.resetsAt} end`,
      },
    })
    .returning();
  const counted = row ?? { count: 1, resetsAt };
  const allowed = counted.count <= limit.tries;
  return { ...counted, allowed, waitSeconds: allowed ? 0 : secondsUntil(counted.resetsAt, now) };
}

/** Counts one try in a window that starts now, replacing a running one. */
export async function startWindow(db: Database, { key, windowMs }: CounterWindow, now: number): Promise<void> {
  const row = { count: 1, resetsAt: now + windowMs };
  await db
    .insert(throttles)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: throttles.key, set: row });
}

/** Seconds to wait until an instant, at least 1. Both are epoch milliseconds. */
export function secondsUntil(instant: number, now: number): number {
  return Math.max(1, Math.ceil((instant - now) / 1000));
}

/** Number of tries in the running window; 0 when none runs. Counts nothing. `now` is epoch milliseconds. */
export async function countedTries(db: Database, key: string, now: number): Promise<number> {
  const [row] = await db.select().from(throttles).where(eq(throttles.key, key));
  return row && row.resetsAt > now ? row.count : 0;
}

/** Uncounts a try that should not count. */
export async function uncountTry(db: Database, key: string): Promise<void> {
  await db
    .update(throttles)
    .set({ count: sql`greatest(${throttles.count} - 1, 0)` })
    .where(eq(throttles.key, key));
}

/** Resets the count, for example after a success. */
export async function clearTries(db: Database, key: string): Promise<void> {
  await db.delete(throttles).where(eq(throttles.key, key));
}

/** The factor for the /48 of an IPv6 address: households of one provider share it. */
const wider = 10;

/**
 * Counts one try of a caller's network ([Note: Networks]), and of the wider network around it. `count` is that of the
 * one nearer to its limit, so that measures against many tries start in time for both.
 */
export async function countTryFrom(
  db: Database,
  what: string,
  address: string,
  limit: Limit,
  now: number,
  weight = 1,
): Promise<TryResult> {
  const { near, wide } = networksOf(address);
  const own = await countTry(db, `${what} ${near}`, limit, now, weight);
  if (wide === undefined) return own;
  const around = await countTry(db, `${what} ${wide}`, { ...limit, tries: limit.tries * wider }, now, weight);
  const share = { ...around, count: Math.ceil(around.count / wider) };
  if (own.allowed !== share.allowed) return own.allowed ? share : own;
  return share.count > own.count || (!own.allowed && share.resetsAt > own.resetsAt) ? share : own;
}

/** Whether a caller's network, or the wider one around it, has used up its tries. Counts nothing. */
export async function isOverLimitFrom(
  db: Database,
  what: string,
  address: string,
  { tries }: Pick<Limit, 'tries'>,
  now: number,
): Promise<boolean> {
  const { near, wide } = networksOf(address);
  if ((await countedTries(db, `${what} ${near}`, now)) >= tries) return true;
  return wide !== undefined && (await countedTries(db, `${what} ${wide}`, now)) >= tries * wider;
}

/** Uncounts a try of a caller's network that should not count. */
export async function uncountTryFrom(db: Database, what: string, address: string): Promise<void> {
  const { near, wide } = networksOf(address);
  await uncountTry(db, `${what} ${near}`);
  if (wide !== undefined) await uncountTry(db, `${what} ${wide}`);
}

export interface CounterWindow {
  readonly key: string;
  readonly windowMs: number;
}

export interface Counted {
  readonly count: number;
  /** when the window ends, in epoch milliseconds */
  readonly resetsAt: number;
}

/**
 * Counts one try for each of `take`, and reads `read` without counting, in one statement. Returns the counts before
 * this try by key; a key without a running window is absent. Keys must not repeat.
 */
export async function countTries(
  db: Database,
  { take, read = [] }: { readonly take: readonly CounterWindow[]; readonly read?: readonly string[] },
  now: number,
): Promise<ReadonlyMap<string, Counted>> {
  // sorted, so that two statements cannot deadlock
  const rows = take.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const values = rows.map(({ key, windowMs }) => sql`(${key}, 1, ${now + windowMs}::bigint)`);
  const known =
    read.length === 0
      ? sql``
      : sql`
    union all select key, count, resets_at from throttles
    where resets_at > ${now}::bigint and key in (${sql.join(
      read.map((key) => sql`${key}`),
      sql`, `,
    )})`;
  const counted = await statementRows(
    db,
    sql`with taken as (
      insert into throttles (key, count, resets_at) values ${sql.join(values, sql`, `)}
      on conflict (key) do update set
        count = case when throttles.resets_at <= ${now}::bigint then 1 else throttles.count + 1 end,
        resets_at = case when throttles.resets_at <= ${now}::bigint then excluded.resets_at else throttles.resets_at end
      returning key, count, resets_at
    )
    select key, count - 1 as count, resets_at from taken${known}`,
  );
  return new Map(
    counted.map(({ key, count, resets_at: resetsAt }) => [
      String(key),
      { count: Number(count), resetsAt: Number(resetsAt) },
    ]),
  );
}

/** The counts of all keys that have a running window. Counts nothing. */
export async function triesOf(db: Database, keys: readonly string[], now: number): Promise<Map<string, Counted>> {
  const rows = await db
    .select()
    .from(throttles)
    .where(inArray(throttles.key, [...keys]));
  return new Map(rows.filter(({ resetsAt }) => resetsAt > now).map(({ key, ...counted }) => [key, counted]));
}

/** Uncounts one try of each key. */
export async function uncountTries(db: Database, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .update(throttles)
    .set({ count: sql`greatest(${throttles.count} - 1, 0)` })
    .where(inArray(throttles.key, [...keys]));
}

/** Resets the counts of all keys. Returns how many of them had one. */
export async function clearAllTries(db: Database, keys: readonly string[]): Promise<number> {
  const counted = await db
    .delete(throttles)
    .where(inArray(throttles.key, [...keys]))
    .returning({ key: throttles.key });
  return counted.length;
}

/** Stored for longer than the token is valid, because an operator may extend the validity at any time. */
const storedMs = 24 * 60 * 60 * 1000;

export interface OneTimeToken {
  readonly brand: string;
  /** unique among the brand's one-time tokens: its kind and its own id */
  readonly id: string;
  /** epoch milliseconds after which it is refused anyway */
  readonly validUntil: number;
}

/**
 * Consumes a one-time token. False when it was already consumed, also concurrently: one statement decides. `tx` is the
 * transaction of the use, so that a failure makes the token valid again.
 */
export async function consumeOnce(tx: Database, { brand, id, validUntil }: OneTimeToken): Promise<boolean> {
  const inserted = await tx
    .insert(usedTokens)
    .values({ brand, id, expiresAt: validUntil + storedMs })
    .onConflictDoNothing()
    .returning({ id: usedTokens.id });
  return inserted.length > 0;
}
