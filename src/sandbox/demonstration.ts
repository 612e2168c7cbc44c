import { fileURLToPath } from 'node:url';
import { demoBrandsFolder } from './demo-brands-folder.ts';
import type { Database } from '#server/db/connect.ts';
import type { Contents, Migrations } from '#server/db/contents.ts';
import { brands } from '#server/db/schema/brands.ts';

const sandboxMigrations: Migrations = {
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
  journal: '__sandbox_migrations',
};

/**
 * Fills an empty database with the demonstration's brands, once. A shop that has a brand already is left as it is, and
 * starts without what reads folders.
 */
export async function seed(db: Database): Promise<void> {
  const [known] = await db.select({ code: brands.code }).from(brands).limit(1);
  if (known) return;
  const { writeDemoBrands } = await import('./demo-brands.ts');
  await writeDemoBrands(db);
}

/** A shop with the sandbox: its tables beside the shop's own, and the demonstration's brands. */
export const demonstration: Contents = {
  name: 'demonstration',
  migrations: [sandboxMigrations],
  sources: [demoBrandsFolder],
  fill: seed,
};
