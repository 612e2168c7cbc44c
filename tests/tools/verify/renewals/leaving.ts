import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { deletedUserType } from '#server/auth/evict.ts';
import { statementRows } from '#server/db/driver-results.ts';
import { personalTables } from '#server/account/my-data/personal-tables.ts';
import type { Mailbox } from './mails.ts';
import type { Person } from './people.ts';
import type { World } from './world.ts';

const dayMs = 86_400_000;

/**
 * Who has asked for the deletion of their account and not thought again is gone, and nobody else: one mail has said so,
 * orders are left that name nobody, and the bank has forgotten the cards. Answers how many are gone.
 */
export async function auditLeaving(world: World, mailbox: Mailbox): Promise<number> {
  const { db, faults, people, clock } = world;
  const left = [...people.values()].filter(({ leaves }) => leaves && leaves.due < clock.now - dayMs);
  const gone = new Set(
    (await statementRows(db, sql`select uid from users where user_type = ${deletedUserType}`)).map(({ uid }) =>
      String(uid),
    ),
  );
  const should = new Set(left.map(({ uid }) => uid));
  for (const uid of gone.symmetricDifference(should)) faults.push(`${uid} is gone, or should be`);
  const told = mailbox.written(['gone']);
  for (const uid of new Set([...gone, ...told.keys()]))
    if (told.get(uid)?.length !== (gone.has(uid) ? 1 : 0))
      faults.push(`${uid} was told of the end by another number of mails`);
  const remembered = world.bank.remembered();
  for (const uid of gone) if (remembered.has(uid)) faults.push(`the bank has a card of ${uid}, who is gone`);
  for (const words of [...(await rowsLeft(world, gone)), ...(await namesLeft(world, left))]) faults.push(words);
  return gone.size;
}

/** In tables whose rows go. */
async function rowsLeft({ db }: World, gone: ReadonlySet<string>): Promise<string[]> {
  const left: string[] = [];
  for (const { table, atEnd } of Object.values(personalTables)) {
    if (atEnd !== 'removed' || !('uid' in getTableColumns(table))) continue;
    const rows = await statementRows(db, sql`select distinct uid from ${table}`);
    for (const { uid } of rows)
      if (gone.has(String(uid))) left.push(`${String(uid)} is gone and has rows in ${getTableName(table)}`);
  }
  return left;
}

/** Anywhere: the address that somebody had who is gone. */
async function namesLeft({ db }: World, left: readonly Person[]): Promise<string[]> {
  const names = new Set(left.map(({ account }) => account));
  const tables = await statementRows(
    db,
    sql`select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { table_name: table } of tables) {
    const rows = await statementRows(
      db,
      sql`select distinct name from (select substring(whole::text from 'sub-[0-9]+@example[.]com') as name
        from ${sql.identifier(String(table))} whole) named where name is not null`,
    );
    for (const { name } of rows)
      if (names.has(String(name))) found.push(`${String(table)} names ${String(name)}, who is gone`);
  }
  return found;
}
