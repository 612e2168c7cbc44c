import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instant, minorUnits } from '#server/db/schema/columns.ts';
import type { ChargeKind, ChargeStatus } from './gateway/protocol.ts';

/** What becomes of a charge, and why when it is declined. */
export interface ChargeOutcome {
  readonly status: 'approved' | 'paid' | 'declined' | 'expired';
  readonly declineCode?: number;
  /** how long its notice takes, in milliseconds, where it is slower than the others */
  readonly tellAfterMs?: number;
}

/**
 * The tables of the pretended providers, which a real provider keeps on its side. They exist where the sandbox is or was
 * on, by the migrations of this folder, and nothing but this folder reads them. Columns and indexes keep the names that
 * they have in installations of before, so that a process of an earlier version can run beside this one.
 */
export const sandboxCharges = pgTable(
  'sandbox_charges',
  {
    /** the key it was asked with: the attempt's id */
    key: text().primaryKey(),
    kind: text().$type<ChargeKind>().notNull(),
    /** the gateway that asked, where its notices go */
    gateway: text().notNull().default('sandbox'),
    methodCode: text('method_code').notNull().default(''),
    brand: text().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    status: text().$type<ChargeStatus>().notNull(),
    /** what the bank said when it declined */
    declineCode: integer('decline_code'),
    /** what a challenge leads to once the customer has answered it */
    afterChallenge: jsonb('after_challenge').$type<ChargeOutcome>(),
    /** what happens by itself, and when: somebody's answer on another phone, confirmations of a chain */
    scheduledOutcome: jsonb('ripens').$type<ChargeOutcome>(),
    scheduledAt: instant('ripe_at'),
    /** public id of the bank's pages and of the Pix code */
    publicId: text('public_id').notNull().unique(),
    payload: text(),
    /** what only this kind of charge has; read through the schema of its kind */
    details: jsonb().$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    returnUrl: text('return_url').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    paidAt: instant('paid_at'),
  },
  (table) => [
    index('sandbox_charges_ripe').on(table.scheduledAt).where(hasScheduledOutcome(table)),
    index('sandbox_charges_phone')
      .on(sql`(${table.details}->>'phone')`, table.createdAt)
      .where(sql`${table.kind} = 'mobile'`),
  ],
);

/** Something will happen to a charge that is still open. */
export function hasScheduledOutcome({ scheduledAt, status }: Record<'scheduledAt' | 'status', SQLWrapper>): SQL {
  return sql`${scheduledAt} is not null and ${status} in ('challenge', 'waiting', 'approved')`;
}

/** Cards that the sandbox provider keeps for the shop: what they would do, and never their number. */
export const sandboxCards = pgTable('sandbox_cards', {
  token: text().primaryKey(),
  /** HMAC of the number, and of the brand and the customer that it is kept for: the same card gets the same token */
  mark: text().notNull().unique(),
  cardBrand: text('card_brand').notNull(),
  last4: text().notNull(),
  expiryMonth: integer('expiry_month').notNull(),
  expiryYear: integer('expiry_year').notNull(),
  codeDigits: integer('code_digits').notNull(),
  does: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
});

/** Orders of the sandbox PayPal, which speaks the protocol of the real one. */
export const sandboxPaypalOrders = pgTable('sandbox_paypal_orders', {
  id: text().primaryKey(),
  /** PayPal-Request-Id of its creation */
  requestId: text('request_id').notNull().unique(),
  status: text().$type<'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'>().notNull(),
  /** the next capture is refused: the payer chose an instrument that does not pay */
  declines: boolean().notNull().default(false),
  captureId: text('capture_id'),
  refunded: boolean().notNull().default(false),
  /** what went back in parts, in minor units, by the request id of each */
  parts: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
  customId: text('custom_id').notNull(),
  amount: minorUnits('amount').notNull(),
  currency: text().notNull(),
  returnUrl: text('return_url').notNull(),
  cancelUrl: text('cancel_url').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Notices that the sandbox provider still owes to the shop. */
export const sandboxNotices = pgTable(
  'sandbox_notices',
  {
    id: text().primaryKey(),
    key: text().notNull(),
    /** whose webhook it is for */
    gateway: text().notNull().default('sandbox'),
    body: text().notNull(),
    dueAt: instant('due_at').notNull(),
    /** how many deliveries are left; a provider repeats itself */
    repeats: integer().notNull(),
  },
  (table) => [index('sandbox_notices_due').on(table.dueAt)],
);

/** Browsers that the sandbox push service stands for (RFC 8030, section 4). */
export const sandboxPushBrowsers = pgTable('sandbox_push_browsers', {
  id: text().primaryKey(),
  /** the one key that may send to it (RFC 8292, section 4), base64url */
  vapidKey: text('vapid_key').notNull(),
  /** the browser has ended it */
  gone: boolean().notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

/** What the sandbox push service was given, as it came: only the browser could read it. */
export const sandboxPushMessages = pgTable(
  'sandbox_push_messages',
  {
    id: text().primaryKey(),
    browserId: text('browser_id')
      .notNull()
      .references(() => sandboxPushBrowsers.id, { onDelete: 'cascade' }),
    /** seconds for which it may be kept */
    ttl: integer().notNull(),
    urgency: text().notNull(),
    topic: text(),
    body: bytes('body').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [index('sandbox_push_messages_browser').on(table.browserId, table.receivedAt)],
);
