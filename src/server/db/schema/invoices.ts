import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Seller } from '#contract/brand.ts';
import { instant, minorUnits } from './columns.ts';
import { ledger } from './ledger.ts';

/** The last number of each brand and year. A row is locked until the numbers that were taken from it are committed. */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    brand: text().notNull(),
    /** in the time zone of the brand */
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.year] })],
);

/**
 * Invoices and credit notes, in one series of numbers for each brand and year. A row never changes, except that the
 * deletion of the account removes the buyer. Amounts are minor units; those of a credit note are negative. Order and
 * customer are not foreign keys, because inserting a row would wait for transactions that have locked them.
 */
export const invoices = pgTable(
  'invoices',
  {
    brand: text().notNull(),
    year: integer().notNull(),
    sequence: integer().notNull(),
    /** the number as printed: prefix, year and sequence */
    number: text().notNull(),
    kind: text().$type<'invoice' | 'creditNote'>().notNull(),
    /** the movement of money that it documents */
    ledgerId: text('ledger_id')
      .notNull()
      .references(() => ledger.id),
    orderId: text('order_id').notNull(),
    uid: text().notNull(),
    issuedAt: instant('issued_at').notNull(),
    /** ISO 3166-1 */
    country: text().notNull(),
    currency: text().notNull(),
    gross: minorUnits('gross').notNull(),
    net: minorUnits('net').notNull(),
    tax: minorUnits('tax').notNull(),
    /** thousandths of a per cent: 19000 is 19 %; null where the brand has no tax for the country */
    rate: integer(),
    /** such as VAT or ISS */
    taxName: text('tax_name'),
    seller: jsonb().$type<Seller>(),
    /** `Buyer`, encrypted (billing/check-payer.ts) */
    buyerSealed: text('buyer_sealed'),
    /** of a credit note: the number of the invoice that it corrects */
    corrects: text(),
  },
  (table) => [
    primaryKey({ columns: [table.brand, table.year, table.sequence] }),
    uniqueIndex('invoices_ledger').on(table.ledgerId),
    // also searched by prefix, whatever the database's collation
    uniqueIndex('invoices_number').on(table.number.op('text_pattern_ops')),
    index('invoices_order').on(table.orderId),
    index('invoices_owner').on(table.brand, table.uid),
    index('invoices_issued').on(table.brand, table.issuedAt, table.year, table.sequence),
    index('invoices_corrections')
      .on(table.corrects)
      .where(sql`${table.corrects} is not null`),
  ],
);
