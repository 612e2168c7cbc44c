import { openTestDatabase } from '../../src/server/db/connect.ts';

/** Vitest's global setup: makes the database that every test copies, once, instead of once per worker. */
export async function setup(): Promise<void> {
  const { close } = await openTestDatabase();
  await close();
}
