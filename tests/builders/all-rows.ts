import { sql } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';

/** Every row of every table, as text. */
export async function allRows(db: Database): Promise<string> {
  const tables = await statementRows(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await statementRows(db, sql`select to_jsonb(t) as row from ${sql.identifier(String(name))} t`);
    texts.push(`${String(name)}: ${JSON.stringify(rows)}`);
  }
  return texts.join('\n');
}
