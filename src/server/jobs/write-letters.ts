import { asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import { letters } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { writeLetter } from '../email/write-letter.ts';

/** A code that comes later than this is of no use any more, and a person has asked again. */
const lifetimeMs = 15 * 60_000;
const batch = 100;

/**
 * Writes the letters that were asked for ([Note: Letters]). Each is taken and written in one transaction, so a crash in
 * between loses none and doubles none; one that cannot be written stays, and does not keep the others waiting. Answers
 * how many were done.
 */
export async function writeLetters(deps: Deps): Promise<number> {
  const { db, log } = deps;
  const waiting = await db.select({ id: letters.id }).from(letters).orderBy(asc(letters.createdAt)).limit(batch);
  let done = 0;
  for (const { id } of waiting) {
    try {
      if (await db.transaction((tx) => takeAndWrite(tx, id, deps))) done += 1;
    } catch (error) {
      log.error({ reason: plainReason(error), letterId: id }, 'a letter could not be written and will be tried again');
    }
  }
  return done;
}

/** False when another process has it. */
async function takeAndWrite(tx: Database, id: string, deps: Deps): Promise<boolean> {
  const free = tx
    .select({ id: letters.id })
    .from(letters)
    .where(eq(letters.id, id))
    .for('update', { skipLocked: true });
  const [letter] = await tx.delete(letters).where(inArray(letters.id, free)).returning();
  if (!letter) return false;
  const brand = deps.catalog.byCode(letter.brand);
  const ageMs = deps.clock() - letter.createdAt;
  if (brand && ageMs < lifetimeMs) await writeLetter(tx, brand, letter, deps);
  else deps.log.warn({ letterId: id, kind: letter.kind, ageMs }, 'a letter was too old to be written');
  return true;
}

/** What the database said, without the statement: its parameters are codes and links, which no log may hold. */
function plainReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? error.cause.message : error.name;
}
