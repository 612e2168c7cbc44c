import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** What operators have changed by command, and why. Rows are only ever added. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: text().primaryKey(),
    at: instant('at').notNull(),
    /** the person at the keyboard, as the system or `--by` names them */
    who: text().notNull(),
    why: text().notNull(),
    /** its name, such as `orders refund` */
    command: text().notNull(),
    brand: text(),
    /** the uid, order, coupon or brand that was changed */
    subject: text(),
    /** what was asked for, without anything secret */
    detail: jsonb().$type<Readonly<Record<string, string | number | boolean | null>>>().notNull(),
  },
  (table) => [index('audit_log_subject').on(table.brand, table.subject, table.at), index('audit_log_at').on(table.at)],
);
