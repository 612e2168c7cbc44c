import type { Config } from 'drizzle-kit';

/** Writes the next migration of the sandbox's tables: `drizzle-kit generate --config src/server/sandbox/drizzle.config.ts`. */
export default {
  dialect: 'postgresql',
  schema: './src/server/sandbox/schema.ts',
  out: './src/server/sandbox/migrations',
} satisfies Config;
