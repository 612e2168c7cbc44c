import { fileURLToPath } from 'node:url';
import { demoBrandsFolder } from './demo-brands-folder.ts';
import type { Database } from '#server/db/connect.ts';
import type { Contents, Migrations } from '#server/db/migrate.ts';
import { brands } from '#server/db/schema/brands.ts';

const sandboxMigrations: Migrations = {
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
  journal: '__sandbox_migrations',
};

/**
 * Fills an empty database with the demo brands, once. An installation that already has a brand stays unchanged, and
 * does not load the code that reads brand folders.
 */
export async function seed(db: Database): Promise<void> {
  const [known] = await db.select({ code: brands.code }).from(brands).limit(1);
  if (known) return;
  const { writeDemoBrands } = await import('./demo-brands.ts');
  await writeDemoBrands(db);
}

/** The contents of a demo: the sandbox's tables beside the server's, and the demo brands. */
export const demoContents: Contents = {
  name: 'demonstration',
  migrations: [sandboxMigrations],
  sources: [demoBrandsFolder],
  fill: seed,
};
