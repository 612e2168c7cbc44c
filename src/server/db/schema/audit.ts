import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Changes that operators made by command, with the reason. Rows are append-only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: text().primaryKey(),
    at: instant('at').notNull(),
    /** the operator, as named by the system or by `--by` */
    who: text().notNull(),
    why: text().notNull(),
    /** its name, such as `orders refund` */
    command: text().notNull(),
    brand: text(),
    /** the uid, order, coupon or brand that was changed */
    subject: text(),
    /** the arguments, without secrets */
    detail: jsonb().$type<Readonly<Record<string, string | number | boolean | null>>>().notNull(),
  },
  (table) => [index('audit_log_subject').on(table.brand, table.subject, table.at), index('audit_log_at').on(table.at)],
);
