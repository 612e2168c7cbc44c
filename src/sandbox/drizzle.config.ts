import type { Config } from 'drizzle-kit';

/** Generates a migration of the sandbox's tables: `drizzle-kit generate --config src/sandbox/drizzle.config.ts`. */
export default {
  dialect: 'postgresql',
  schema: './src/sandbox/schema.ts',
  out: './src/sandbox/migrations',
} satisfies Config;
