import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instant, minorUnits } from '#server/db/schema/columns.ts';
import type { ChargeKind, ChargeStatus } from './gateway/protocol.ts';

/** The outcome of a charge, with the reason of a decline. */
export interface ChargeOutcome {
  readonly status: 'approved' | 'paid' | 'declined' | 'expired';
  readonly declineCode?: number;
  /** delay of its notice, in milliseconds, if it differs from the default */
  readonly tellAfterMs?: number;
}

/**
 * The tables of the simulated providers. They exist where the sandbox is or was on, by the migrations of this folder,
 * and only this folder reads them. Columns and indexes keep their original names, so that a process of an earlier
 * version can run beside this one.
 */
export const sandboxCharges = pgTable(
  'sandbox_charges',
  {
    /** the idempotency key: the attempt's ID */
    key: text().primaryKey(),
    kind: text().$type<ChargeKind>().notNull(),
    /** the gateway that created the charge and receives its notices */
    gateway: text().notNull().default('sandbox'),
    methodCode: text('method_code').notNull().default(''),
    brand: text().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    status: text().$type<ChargeStatus>().notNull(),
    /** the bank's reason for a decline */
    declineCode: integer('decline_code'),
    /** the outcome after the customer confirms a challenge */
    afterChallenge: jsonb('after_challenge').$type<ChargeOutcome>(),
    /** the automatic outcome and its time, such as an answer on a phone or a chain's confirmations */
    scheduledOutcome: jsonb('ripens').$type<ChargeOutcome>(),
    scheduledAt: instant('ripe_at'),
    /** public ID of the bank's pages and of the Pix code */
    publicId: text('public_id').notNull().unique(),
    payload: text(),
    /** fields of this kind of charge; parsed by the kind's schema */
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

/** A scheduled outcome of a charge that is still open. */
export function hasScheduledOutcome({ scheduledAt, status }: Record<'scheduledAt' | 'status', SQLWrapper>): SQL {
  return sql`${scheduledAt} is not null and ${status} in ('challenge', 'waiting', 'approved')`;
}

/** Stored cards of the sandbox provider: their behaviour, never their number. */
export const sandboxCards = pgTable('sandbox_cards', {
  token: text().primaryKey(),
  /** HMAC of number, brand and customer: the same card gets the same token */
  mark: text().notNull().unique(),
  cardBrand: text('card_brand').notNull(),
  last4: text().notNull(),
  expiryMonth: integer('expiry_month').notNull(),
  expiryYear: integer('expiry_year').notNull(),
  codeDigits: integer('code_digits').notNull(),
  does: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
});

/** Orders of the sandbox PayPal. */
export const sandboxPaypalOrders = pgTable('sandbox_paypal_orders', {
  id: text().primaryKey(),
  /** PayPal-Request-Id of its creation */
  requestId: text('request_id').notNull().unique(),
  status: text().$type<'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'>().notNull(),
  /** the next capture is refused: the payer chose an instrument that declines */
  declines: boolean().notNull().default(false),
  captureId: text('capture_id'),
  refunded: boolean().notNull().default(false),
  /** partial refunds in minor units, by request ID */
  parts: jsonb().$type<Readonly<Record<string, number>>>().notNull().default({}),
  customId: text('custom_id').notNull(),
  amount: minorUnits('amount').notNull(),
  currency: text().notNull(),
  /** its payer's account is saved with the capture */
  saves: boolean().notNull().default(false),
  /** the saved account: created by this order, or charged by it */
  accountId: text('account_id'),
  returnUrl: text('return_url').notNull(),
  cancelUrl: text('cancel_url').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Visits to the page on which the sandbox PayPal saves an account without a payment ("setup tokens"). */
export const sandboxPaypalSetups = pgTable('sandbox_paypal_setups', {
  id: text().primaryKey(),
  /** PayPal-Request-Id of its creation */
  requestId: text('request_id').notNull().unique(),
  status: text().$type<'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'>().notNull(),
  /** the shop's ID of its customer */
  customerId: text('customer_id').notNull(),
  /** PayPal-Request-Id of the exchange, and the account that it saved */
  exchangeId: text('exchange_id'),
  accountId: text('account_id'),
  /** the account declines later charges */
  declines: boolean().notNull().default(false),
  returnUrl: text('return_url').notNull(),
  cancelUrl: text('cancel_url').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Saved accounts of the sandbox PayPal ("payment tokens"). */
export const sandboxPaypalAccounts = pgTable('sandbox_paypal_accounts', {
  id: text().primaryKey(),
  email: text().notNull(),
  /** later charges are declined */
  declines: boolean().notNull().default(false),
});

/** Notices that are still to be delivered. */
export const sandboxNotices = pgTable(
  'sandbox_notices',
  {
    id: text().primaryKey(),
    key: text().notNull(),
    /** the gateway whose webhook receives it */
    gateway: text().notNull().default('sandbox'),
    body: text().notNull(),
    dueAt: instant('due_at').notNull(),
    /** remaining deliveries; providers repeat notices */
    repeats: integer().notNull(),
  },
  (table) => [index('sandbox_notices_due').on(table.dueAt)],
);

/** Subscribed browsers of the sandbox push service (RFC 8030, section 4). */
export const sandboxPushBrowsers = pgTable('sandbox_push_browsers', {
  id: text().primaryKey(),
  /** the only key that may send to it (RFC 8292, section 4), base64url */
  vapidKey: text('vapid_key').notNull(),
  /** the browser has unsubscribed */
  gone: boolean().notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

/** Messages that the sandbox push service received, encrypted for the browser. */
export const sandboxPushMessages = pgTable(
  'sandbox_push_messages',
  {
    id: text().primaryKey(),
    browserId: text('browser_id')
      .notNull()
      .references(() => sandboxPushBrowsers.id, { onDelete: 'cascade' }),
    /** time to live in seconds */
    ttl: integer().notNull(),
    urgency: text().notNull(),
    topic: text(),
    body: bytes('body').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [index('sandbox_push_messages_browser').on(table.browserId, table.receivedAt)],
);
