import type { Config } from 'drizzle-kit';

/**
 * Generates the next migration of the shop's tables: `drizzle-kit generate --config src/server/db/drizzle.config.ts`.
 */
export default {
  dialect: 'postgresql',
  schema: './src/server/db/schema/*.ts',
  out: './src/server/db/migrations',
} satisfies Config;
