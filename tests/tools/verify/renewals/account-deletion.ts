import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { deletedUserType } from '#server/auth/users.ts';
import { statementRows } from '#server/db/connect.ts';
import { personalTables } from '#server/account/my-data/personal-tables.ts';
import type { Mailbox } from './mails.ts';
import type { Person } from './subscribers.ts';
import type { World } from './world.ts';

const dayMs = 86_400_000;

/**
 * Checks that exactly the accounts with an uncancelled deletion request are deleted: each has one mail, its orders
 * contain no personal data, and the bank has deleted its cards. Returns the number of deleted accounts.
 */
export async function auditLeaving(world: World, mailbox: Mailbox): Promise<number> {
  const { db, faults, people, clock } = world;
  const left = [...people.values()].filter(({ leaves }) => leaves && leaves.due < clock.now - dayMs);
  const deleted = new Set(
    (await statementRows(db, sql`select uid from users where user_type = ${deletedUserType}`)).map(({ uid }) =>
      String(uid),
    ),
  );
  const expected = new Set(left.map(({ uid }) => uid));
  for (const uid of deleted.symmetricDifference(expected))
    faults.push(`${uid} is deleted without a request, or is not deleted`);
  const mailed = mailbox.written(['gone']);
  for (const uid of new Set([...deleted, ...mailed.keys()]))
    if (mailed.get(uid)?.length !== (deleted.has(uid) ? 1 : 0))
      faults.push(`${uid} has a wrong number of mails about the deletion`);
  const remembered = world.bank.remembered();
  for (const uid of deleted) if (remembered.has(uid)) faults.push(`the bank has a card of the deleted customer ${uid}`);
  for (const fault of [...(await rowsLeft(world, deleted)), ...(await namesLeft(world, left))]) faults.push(fault);
  return deleted.size;
}

/** Rows of deleted customers in tables whose rows are deleted with the account. */
async function rowsLeft({ db }: World, deleted: ReadonlySet<string>): Promise<string[]> {
  const left: string[] = [];
  for (const { table, atEnd } of Object.values(personalTables)) {
    if (atEnd !== 'removed' || !('uid' in getTableColumns(table))) continue;
    const rows = await statementRows(db, sql`select distinct uid from ${table}`);
    for (const { uid } of rows)
      if (deleted.has(String(uid))) left.push(`${String(uid)} is deleted and has rows in ${getTableName(table)}`);
  }
  return left;
}

/** Email addresses of deleted customers in any table. */
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
      if (names.has(String(name))) found.push(`${String(table)} contains the deleted address ${String(name)}`);
  }
  return found;
}
