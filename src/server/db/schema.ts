import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { SiteConfig } from '../../contract/brand.ts';
import type { Language } from '../../contract/fields.ts';
import type { NextStep } from '../../contract/next-step.ts';
import type { OrderStatus } from '../../contract/order-status.ts';
import type { StoredDocument } from './stored-document.ts';
import type { PayerField } from '../../contract/billing.ts';

/**
 * Conventions: instants are epoch milliseconds (PGlite and pg would round timestamps differently), money is integer
 * minor units beside its currency, and every row of a person carries its brand, so that ownership is always one
 * `where` with brand, user and id.
 */
const instant = (name: string) => bigint(name, { mode: 'number' });
const minorUnits = (name: string) => bigint(name, { mode: 'number' });

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

type Texts<T> = Partial<Record<Language, T>>;
/** What only some methods need. */
export interface MethodDetails {
  /** country code of the payer's number, by currency */
  readonly diallingCodes?: Readonly<Record<string, string>>;
  /** whom a transfer goes to; without it nothing can be received (-2602) */
  readonly receiver?: { readonly name: string; readonly account: string };
}

/** amounts in minor units by currency */
export type Prices = Record<string, number>;

export const brands = pgTable('brands', {
  code: text().primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text().notNull(),
  themeColor: text('theme_color').notNull(),
  /** scheme and host of the storefront, for links in mail */
  origin: text().notNull(),
  currencies: jsonb().$type<string[]>().notNull(),
  config: jsonb().$type<SiteConfig>().notNull(),
  /** where finders of weaknesses write to (RFC 9116), as an address that starts with mailto:, https: or tel: */
  securityContact: text('security_contact'),
  /** belongs to the demonstration: served only where the sandbox is on, because nothing of it is real */
  demo: boolean().notNull().default(false),
});

/** Exact host names, lower case, without a port: a brand is the same at every port. `*` never. */
export const brandHosts = pgTable('brand_hosts', {
  host: text().primaryKey(),
  brand: text()
    .notNull()
    .references(() => brands.code),
});

export const plans = pgTable(
  'plans',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    id: text().notNull(),
    days: integer().notNull(),
    devices: integer().notNull(),
    prices: jsonb().$type<Prices>().notNull(),
    listPrices: jsonb('list_prices').$type<Prices>().notNull().default({}),
    texts: jsonb().$type<Texts<{ name: string; description: string; features: string[] }>>().notNull(),
    recommended: boolean().notNull().default(false),
    position: integer().notNull(),
    active: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.brand, table.id] })],
);

export const paymentMethods = pgTable(
  'payment_methods',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    code: text().notNull(),
    /** the adapter under payments/ that serves it */
    gateway: text().notNull(),
    names: jsonb().$type<Texts<string>>().notNull(),
    icon: text().notNull(),
    /** percent off */
    discount: integer().notNull().default(0),
    currencies: jsonb().$type<string[]>().notNull(),
    fields: jsonb().$type<PayerField[]>().notNull(),
    settles: text().$type<'instant' | 'minutes' | 'days'>().notNull(),
    maxInstallments: integer('max_installments').notNull().default(1),
    /** installments without interest, up to this many */
    interestFreeUpTo: integer('interest_free_up_to').notNull().default(1),
    /** interest a month in hundredths of a percent: 199 is 1.99 % */
    interestBasisPoints: integer('interest_basis_points').notNull().default(0),
    /** offers to keep a new card for the next purchase */
    savesCard: boolean('saves_card').notNull().default(false),
    details: jsonb().$type<MethodDetails>().notNull().default({}),
    position: integer().notNull(),
    active: boolean().notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.brand, table.code] })],
);

export const documents = pgTable(
  'documents',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    type: text().notNull(),
    language: text().$type<Language>().notNull(),
    content: jsonb().$type<StoredDocument>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.type, table.language] })],
);

export const banners = pgTable('banners', {
  id: text().primaryKey(),
  brand: text()
    .notNull()
    .references(() => brands.code),
  texts: jsonb().$type<Texts<string>>().notNull(),
  link: text(),
  position: integer().notNull(),
});

/** Words that a brand says its own way, by message id. */
export const wordings = pgTable(
  'wordings',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    language: text().$type<Language>().notNull(),
    messages: jsonb().$type<Record<string, string>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.language] })],
);

export const users = pgTable(
  'users',
  {
    uid: text().primaryKey(),
    brand: text()
      .notNull()
      .references(() => brands.code),
    /** lower-cased address, or digits of the number */
    account: text().notNull(),
    accountType: text('account_type').$type<'email' | 'phone'>().notNull(),
    areaCode: text('area_code'),
    /** where mail goes: the account itself, or an address that was bound to a number later */
    email: text(),
    /** when the customer proved to read mail or SMS at the account; null until then */
    verifiedAt: instant('verified_at'),
    /** null for someone who has only ever come by Google */
    passwordHash: text('password_hash'),
    /** an upgrade asks for a new password before the next purchase (2500) */
    passwordResetDue: boolean('password_reset_due').notNull().default(false),
    /** `sub` of the Google account, which never changes */
    googleSub: text('google_sub'),
    nickname: text().notNull().default(''),
    userType: text('user_type').notNull().default('MEMBER'),
    /** how often everybody was signed out, and when last: what was begun before opens nothing ([Note: Eviction]) */
    evictions: integer().notNull().default(0),
    evictedAt: instant('evicted_at'),
    language: text().$type<Language>().notNull(),
    /** the plan that runs now, when one does */
    planId: text('plan_id'),
    limitCount: integer('limit_count').notNull().default(0),
    expiredTime: instant('expired_time'),
    unsubscribeEmail: boolean('unsubscribe_email').notNull().default(false),
    loginApp: boolean('login_app').notNull().default(false),
    /** what the link that led to the sign-up brought along */
    entry: jsonb().$type<Record<string, string>>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_account').on(table.brand, table.account),
    uniqueIndex('users_email').on(table.brand, table.email),
    uniqueIndex('users_google').on(table.brand, table.googleSub),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, hex; the token itself is never stored */
    tokenHash: text('token_hash').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** a box may watch and buy, and nothing that an endpoint keeps for its owner */
    kind: text().$type<'customer' | 'box'>().notNull().default('customer'),
    /** of a box: what the owner ends it by, and its name from our own list, empty where it has none there */
    boxId: text('box_id'),
    boxMaker: text('box_maker').notNull().default(''),
    boxModel: text('box_model').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.brand, table.uid), index('sessions_end').on(table.expiresAt)],
);

export const loginRecords = pgTable(
  'login_records',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    device: text().notNull(),
    model: text().notNull(),
    ip: text().notNull(),
    at: instant('at').notNull(),
  },
  (table) => [
    index('login_records_user').on(table.brand, table.uid, table.at),
    index('login_records_time').on(table.at),
  ],
);

/**
 * Codes of four digits, one for each account and purpose; a new one replaces the old. A row exists whether the account
 * does or not, so that nobody learns from an answer which it is.
 */
export const verificationCodes = pgTable(
  'verification_codes',
  {
    brand: text().notNull(),
    /** as `users.account` has it */
    account: text().notNull(),
    scene: text().$type<'login' | 'signup' | 'reset'>().notNull(),
    /** told to whoever asked for this code, so that nobody else can use up its tries or replace it */
    request: text().notNull().default(''),
    /** from where it was asked for ([Note: Networks]) */
    network: text().notNull().default(''),
    /** HMAC of brand, account, scene and code, hex: four digits would be found by trying */
    codeHash: text('code_hash').notNull(),
    triesLeft: integer('tries_left').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.brand, table.account, table.scene, table.request] }),
    index('verification_codes_end').on(table.expiresAt),
  ],
);

/**
 * Mail and SMS that somebody asked for, before anyone has looked whether the account exists: the request answers at
 * once, and a job writes what is to be written ([Note: Letters] in email/letters.ts).
 */
export const letters = pgTable(
  'letters',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    kind: text().$type<'code' | 'reset' | 'confirm'>().notNull(),
    account: text().notNull(),
    accountType: text('account_type').$type<'email' | 'phone'>().notNull(),
    language: text().$type<Language>().notNull(),
    /** of a code: what it is for, and its digits */
    scene: text().$type<'login' | 'signup' | 'reset'>(),
    code: text(),
    /** a known device that asked, which has letters of its own; empty for everybody else */
    asker: text().notNull().default(''),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('letters_time').on(table.createdAt)],
);

/** Links in mails ([Note: Mail links] in the contract). The token itself is only in the mail. */
export const mailLinks = pgTable(
  'mail_links',
  {
    /** SHA-256 of the token, hex */
    tokenHash: text('token_hash').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    purpose: text().$type<'confirm' | 'reset' | 'bind'>().notNull(),
    /** the address that the mail went to */
    email: text().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    index('mail_links_user').on(table.brand, table.uid, table.purpose),
    index('mail_links_end').on(table.expiresAt),
  ],
);

/** Captchas that wait for their answer, and tickets of answered ones; each is used once. */
export const captchas = pgTable(
  'captchas',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    /** HMAC of the id, the account that it is for, and the right answer, hex */
    answerHash: text('answer_hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('captchas_end').on(table.expiresAt)],
);

/** What may be used once only and has been: sign-on tokens, Google tickets, codes of the sandbox provider. */
export const spentTokens = pgTable(
  'spent_tokens',
  {
    brand: text().notNull(),
    id: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.id] }), index('spent_tokens_end').on(table.expiresAt)],
);

/** Boxes that show a code and wait for a phone (RFC 8628, [Note: Device grant] in the contract). */
export const deviceGrants = pgTable(
  'device_grants',
  {
    /** SHA-256 of the device code, hex */
    deviceCodeHash: text('device_code_hash').primaryKey(),
    brand: text().notNull(),
    /** SHA-256 of the user code without its dash, hex */
    userCodeHash: text('user_code_hash').notNull(),
    /** maker and model as our own list has them, empty where it has not: never the words of the box */
    device: text().notNull(),
    model: text().notNull(),
    /** whose the box is, or became when the phone granted it; null until then */
    uid: text(),
    /** true when the box brought its own account */
    signedIn: boolean('signed_in').notNull(),
    state: text().$type<'waiting' | 'granted' | 'refused' | 'done'>().notNull(),
    /** the box may ask again from then on */
    nextPollAt: instant('next_poll_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('device_grants_user_code').on(table.brand, table.userCodeHash),
    index('device_grants_end').on(table.expiresAt),
    index('device_grants_user').on(table.brand, table.uid),
  ],
);

/** Counters that bound guessing, shared by all processes. A row counts until `resetsAt` and then starts again. */
export const throttles = pgTable(
  'throttles',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: instant('resets_at').notNull(),
  },
  (table) => [index('throttles_end').on(table.resetsAt)],
);

export const orders = pgTable(
  'orders',
  {
    orderId: text('order_id').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    status: text().$type<OrderStatus>().notNull(),
    planId: text('plan_id').notNull(),
    /** names of the plan when it was ordered, by language */
    planNames: jsonb('plan_names').$type<Texts<string>>().notNull(),
    days: integer().notNull(),
    devices: integer().notNull(),
    methodCode: text('method_code').notNull(),
    methodNames: jsonb('method_names').$type<Texts<string>>().notNull(),
    currency: text().notNull(),
    original: minorUnits('original').notNull(),
    discount: minorUnits('discount').notNull(),
    total: minorUnits('total').notNull(),
    installments: integer().notNull(),
    discountCode: text('discount_code'),
    /** opens the public face of this payment (contract, queryToken) */
    resultToken: text('result_token').notNull(),
    failureCode: integer('failure_code'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    paidAt: instant('paid_at'),
    serviceStart: instant('service_start'),
    serviceEnd: instant('service_end'),
    /** its payer has sent a proof that nobody has judged yet, or all of the coins, which are not confirmed yet */
    underReview: boolean('under_review').notNull().default(false),
  },
  (table) => [
    index('orders_history').on(table.brand, table.uid, table.createdAt, table.orderId),
    index('orders_open').on(table.brand, table.uid, table.createdAt).where(isOpenOrder(table)),
    index('orders_paid')
      .on(table.brand, table.uid, table.paidAt)
      .where(sql`${table.paidAt} is not null`),
    index('orders_abandoned')
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null`),
    uniqueIndex('orders_result_token').on(table.resultToken),
  ],
);

/**
 * [Note: Partial indexes] Their conditions hold words, and a query that wants such an index says the same words. Any other
 * query must not: to a planner whose statistics are of yesterday a partial index looks empty, and a walk through all of it
 * cheaper than the way by the key. So moves of an order and of an attempt say what they ask of a state in other words.
 */
export function isOpenOrder({ status }: { status: SQLWrapper }): SQL {
  return sql`${status} in ('SUBMITTED', 'PAYMENT_PENDING')`;
}

/**
 * INTENT: committed, the provider's answer unknown. PENDING: the provider waits for the customer or the money. ORPHANED:
 * given up without an answer, because its gateway is here no longer ([Note: Orphaned payments] in billing/orphans.ts).
 */
export type AttemptState = 'INTENT' | 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'ORPHANED';

/**
 * One try to pay an order, and at once the record of its idempotency key: a key is spent by the attempt it made.
 * `id` is the key that the provider gets, so that asking again never charges twice.
 */
export const attempts = pgTable(
  'attempts',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.orderId),
    brand: text().notNull(),
    uid: text().notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    /** SHA-256 of the request without the card's number and code, hex */
    requestHash: text('request_hash').notNull(),
    gateway: text().notNull(),
    methodCode: text('method_code').notNull(),
    /** minor units that the provider was asked for, interest included */
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    installments: integer().notNull(),
    state: text().$type<AttemptState>().notNull(),
    /** the provider's own id of the payment */
    providerRef: text('provider_ref'),
    next: jsonb().$type<NextStep>(),
    failureCode: integer('failure_code'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    uniqueIndex('attempts_key').on(table.brand, table.uid, table.idempotencyKey),
    uniqueIndex('attempts_one_live')
      .on(table.orderId)
      .where(sql`${table.state} in ('INTENT', 'PENDING')`),
    index('attempts_to_ask')
      .on(asksAgainAt(table))
      .where(sql`${asksAgainAt(table)} is not null`),
    index('attempts_order').on(table.orderId),
    index('attempts_paypal')
      .on(table.providerRef)
      .where(sql`${table.gateway} = 'paypal'`),
  ],
);

/** The longest that anyone waits for the next question about a payment: 10 minutes. */
const longestWaitMs = sql.raw('600000');
/** Ten years: whose outcome is unknown goes before all who wait for their payer. */
const firstByMs = sql.raw('315360000000');

/**
 * From when on the provider is asked again about a live attempt, in epoch milliseconds: at once where the outcome is
 * unknown, less often as one that waits for its payer grows older, and at its end. How long it has to be quiet before
 * comes on top. Null for what has ended.
 */
export function asksAgainAt(attempt: Record<'state' | 'createdAt' | 'updatedAt' | 'expiresAt', SQLWrapper>): SQL {
  const { state, createdAt, updatedAt, expiresAt } = attempt;
  return sql`(case ${state} when 'INTENT' then ${updatedAt} - ${firstByMs}
    when 'PENDING' then least(${updatedAt} + least(${longestWaitMs}, (${updatedAt} - ${createdAt}) / 8), ${expiresAt}) end)`;
}

/** The books: money that moved, once per provider event. Positive in, negative out. */
export const ledger = pgTable(
  'ledger',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.orderId),
    attemptId: text('attempt_id').notNull(),
    /** `return`: a chargeback that the shop has won */
    kind: text().$type<'capture' | 'refund' | 'chargeback' | 'return'>().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    at: instant('at').notNull(),
    /**
     * Of a capture that goes back because its order had been paid before: when that is tried next. Null when nothing goes
     * back. A process of an earlier version does not say: 0, and the job looks whether it does.
     */
    giveBackAt: instant('give_back_at').default(0),
  },
  (table) => [
    index('ledger_order').on(table.orderId),
    uniqueIndex('ledger_once').on(table.attemptId, table.kind),
    index('ledger_to_give_back')
      .on(table.giveBackAt)
      .where(sql`${table.kind} = 'capture' and ${table.giveBackAt} is not null`),
  ],
);

/** Every signed notice of a provider, once. */
export const webhookEvents = pgTable(
  'webhook_events',
  { gateway: text().notNull(), eventId: text('event_id').notNull(), receivedAt: instant('received_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.gateway, table.eventId] }),
    index('webhook_events_time').on(table.receivedAt),
    // found by their beginning, whatever the database's collation
    index('webhook_events_refunds')
      .on(table.gateway, table.eventId.op('text_pattern_ops'))
      .where(sql`${table.eventId} like 'refund %'`),
  ],
);

export const coupons = pgTable(
  'coupons',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    code: text().notNull(),
    kind: text().$type<'percent' | 'amount'>().notNull(),
    /** percent, or minor units of `currency` */
    value: integer().notNull(),
    currency: text(),
    /** plans it is for; empty means all */
    planIds: jsonb('plan_ids').$type<string[]>().notNull().default([]),
    maxUses: integer('max_uses').notNull(),
    used: integer().notNull().default(0),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    firstPurchaseOnly: boolean('first_purchase_only').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.brand, table.code] })],
);

/** Mail that is to be sent, written in the same transaction as what it tells of. */
export const outbox = pgTable(
  'outbox',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    channel: text().$type<'mail' | 'sms'>().notNull().default('mail'),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    tries: integer().notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
  },
  (table) => [
    index('outbox_waiting').on(table.nextTryAt).where(isWaitingMessage(table)),
    index('outbox_sent')
      .on(table.sentAt)
      .where(sql`${table.sentAt} is not null`),
    index('outbox_given_up').on(table.createdAt).where(isGivenUp(table)),
  ],
);

/** After so many tries a message is given up: 12. */
export const maxMailTries = 12;

export function isGivenUp({ sentAt, tries }: Record<'sentAt' | 'tries', SQLWrapper>): SQL {
  return sql`${sentAt} is null and ${tries} >= ${sql.raw(String(maxMailTries))}`;
}

export function isWaitingMessage({ sentAt, tries }: Record<'sentAt' | 'tries', SQLWrapper>): SQL {
  return sql`${sentAt} is null and ${tries} < ${sql.raw(String(maxMailTries))}`;
}

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

/** Cards that customers have saved: tokens of a gateway, with what their owner recognises them by. */
export const savedCards = pgTable(
  'saved_cards',
  {
    cardId: text('card_id').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    gateway: text().notNull(),
    methodCode: text('method_code').notNull(),
    /** names the card at its gateway; no use to anyone without the shop's own key there */
    token: text().notNull(),
    cardBrand: text('card_brand').notNull(),
    last4: text().notNull(),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    codeDigits: integer('code_digits').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [uniqueIndex('saved_cards_owner').on(table.brand, table.uid, table.gateway, table.token)],
);

/** Pictures and documents that customers hand in as a proof of a transfer. */
export const uploads = pgTable(
  'uploads',
  {
    objectId: text('object_id').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    mediaType: text('media_type').notNull(),
    content: bytes('content').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('uploads_owner').on(table.brand, table.uid, table.createdAt),
    index('uploads_time').on(table.createdAt),
  ],
);

/** Transfers to the brand's own account, which its people check by hand ([Note: Transfers] in payments/transfer). */
export const transfers = pgTable(
  'transfers',
  {
    /** the attempt's id */
    key: text().primaryKey(),
    brand: text().notNull(),
    flavour: text().$type<'paynow' | 'caishen'>().notNull(),
    /** what the payer writes into the transfer */
    reference: text().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    payload: text(),
    receiver: jsonb().$type<NonNullable<MethodDetails['receiver']>>().notNull(),
    state: text().$type<'waiting' | 'reviewing' | 'accepted' | 'closed' | 'refunded'>().notNull(),
    /** the last proof was no proof */
    proofRejected: boolean('proof_rejected').notNull().default(false),
    /** the proof that is or was looked at */
    objectId: text('object_id'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    reviewedAt: instant('reviewed_at'),
  },
  (table) => [
    index('transfers_proof')
      .on(table.objectId)
      .where(sql`${table.objectId} is not null`),
  ],
);

export type ChargeKind = 'card' | 'pix' | 'slip' | 'mobile' | 'wallet' | 'coin';
export type ChargeStatus =
  | 'challenge'
  | 'waiting'
  /** its payer has agreed; the shop has to finish it */
  | 'approved'
  | 'paid'
  | 'declined'
  | 'expired'
  | 'refunded';
/** What becomes of a charge, and why when it is declined. */
export interface ChargeEnd {
  readonly status: 'approved' | 'paid' | 'declined' | 'expired';
  readonly declineCode?: number;
  /** how long its notice takes, in milliseconds, where it is slower than the others */
  readonly tellAfterMs?: number;
}

/** The sandbox provider's own books. A real provider keeps these on its side; nothing of the shop reads them. */
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
    afterChallenge: jsonb('after_challenge').$type<ChargeEnd>(),
    /** what happens by itself, and when: somebody's answer on another phone, confirmations of a chain */
    ripens: jsonb().$type<ChargeEnd>(),
    ripeAt: instant('ripe_at'),
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
    index('sandbox_charges_ripe').on(table.ripeAt).where(ripens(table)),
    index('sandbox_charges_phone')
      .on(sql`(${table.details}->>'phone')`, table.createdAt)
      .where(sql`${table.kind} = 'mobile'`),
  ],
);

/** Something will happen to a charge that is still open. */
export function ripens({ ripeAt, status }: Record<'ripeAt' | 'status', SQLWrapper>): SQL {
  return sql`${ripeAt} is not null and ${status} in ('challenge', 'waiting', 'approved')`;
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
