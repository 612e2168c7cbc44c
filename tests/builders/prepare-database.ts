import { openMemory } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { sharePostgres } from '#tests/fixtures/postgres.ts';

/** Vitest's global setup: creates the database that every test copies, once for all workers, and shares PostgreSQL. */
export async function setup(): Promise<() => Promise<void>> {
  const { close } = await openMemory(demoContents);
  await close();
  return sharePostgres();
}
