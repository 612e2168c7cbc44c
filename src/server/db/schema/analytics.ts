import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    at: instant('at').notNull(),
    fields: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index('analytics_events_age').on(table.at)],
);
