import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { type AnyPgColumn, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { brands } from './brands.ts';

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
    /** where mail is sent: the account itself, or an address that was added to a number later */
    email: text(),
    /** the number for signing in: the account itself, or a number that was added to an address later */
    phone: text(),
    /** when the customer verified the account's address or number; null until then */
    verifiedAt: instant('verified_at'),
    /** null for a customer who has only signed in with Google */
    passwordHash: text('password_hash'),
    /** after an upgrade: a new password is required before the next purchase (`resetPasswordFirst`) */
    passwordResetDue: boolean('password_reset_due').notNull().default(false),
    /** `sub` of the Google account, which never changes */
    googleSub: text('google_sub'),
    nickname: text().notNull().default(''),
    userType: text('user_type').notNull().default('MEMBER'),
    /** how often all sessions were ended, and when last: what started before then opens nothing ([Note: Eviction]) */
    evictions: integer().notNull().default(0),
    evictedAt: instant('evicted_at'),
    language: text().$type<Language>().notNull(),
    /**
     * Plan and devices of days without an order; once those have ended, of the last order whose days began when it was
     * paid. The current plan comes from the orders, each with its own period ([Note: Periods]). Null: no plan, such as
     * a trial.
     */
    planId: text('plan_id'),
    limitCount: integer('limit_count').notNull().default(0),
    /** when the last of all periods ends */
    expiredTime: instant('expired_time'),
    /** a renewal has not been paid yet: access continues until then on credit ([Note: Grace]) */
    graceUntil: instant('grace_until'),
    unsubscribeEmail: boolean('unsubscribe_email').notNull().default(false),
    loginApp: boolean('login_app').notNull().default(false),
    /** parameters of the link that led to the sign-up */
    entry: jsonb().$type<Record<string, string>>(),
    createdAt: instant('created_at').notNull(),
    /** when the account is deleted; afterwards, when the data that tax law retains is deleted, too */
    leavesAt: instant('leaves_at'),
  },
  (table) => [
    index('users_leaving')
      .on(table.leavesAt)
      .where(sql`${table.leavesAt} is not null`),
    // searched by prefix and suffix, whatever the database's collation
    index('users_account_start').on(table.account.op('text_pattern_ops')),
    index('users_account_end').on(sql`reverse(${table.account}) text_pattern_ops`),
    index('users_other_start').on(sql`(${otherName(table)}) text_pattern_ops`),
    uniqueIndex('users_account').on(table.brand, table.account),
    uniqueIndex('users_email').on(table.brand, table.email),
    uniqueIndex('users_phone').on(table.brand, table.phone),
    index('users_access').on(table.brand, table.expiredTime, table.uid),
    index('users_offers').on(table.brand, table.uid).where(isSubscribedToOffers(table)),
    uniqueIndex('users_google').on(table.brand, table.googleSub),
  ],
);

/**
 * All names of a customer in lower case, for a search by a part of one. The migration `search_emails` makes a trigram
 * index of it where PostgreSQL has `pg_trgm`; the expression must stay the same. Versions before it use the index of
 * `search_names`.
 */
export function allNames({
  account,
  email,
  phone,
  nickname,
}: Record<'account' | 'email' | 'phone' | 'nickname', SQLWrapper>): SQL {
  return sql`(${account} || ' ' || coalesce(${email}, '') || ' ' || coalesce(${phone}, '') || ' ' || lower(${nickname}))`;
}

/** The second name of a customer: the address of a phone account, or the number of an email account. */
export function otherName({ accountType, email, phone }: Record<'accountType' | 'email' | 'phone', SQLWrapper>): SQL {
  return sql`case when ${accountType} = 'phone' then ${email} else ${phone} end`;
}

/**
 * Customers who have not unsubscribed and have verified their address; an address added to a phone account is verified.
 */
export function isSubscribedToOffers({
  unsubscribeEmail,
  email,
  accountType,
  verifiedAt,
}: Record<'unsubscribeEmail' | 'email' | 'accountType' | 'verifiedAt', SQLWrapper>): SQL {
  return sql`not ${unsubscribeEmail} and ${email} is not null and (${accountType} = 'phone' or ${verifiedAt} is not null)`;
}

/** The checkout of a phone's session ([Note: Hand-over]): one plan, and its orders since then. */
export interface HandoverCheckout {
  readonly planId: string;
  /** the unpaid order of that plan that the phone pays */
  readonly orderId: string | null;
  /** epoch milliseconds */
  readonly since: number;
}

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, hex; the token itself is never stored */
    tokenHash: text('token_hash').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** a TV device may watch and buy, but not call endpoints that are reserved for the account owner */
    kind: text().$type<'customer' | 'box'>().notNull().default('customer'),
    /** of a TV device: the id by which its owner signs it out, and its name from our own list, empty where unknown */
    boxId: text('box_id'),
    boxMaker: text('box_maker').notNull().default(''),
    boxModel: text('box_model').notNull().default(''),
    /** of a phone that was handed a checkout: it has the id of the TV device and ends with it */
    handed: boolean().notNull().default(false),
    /** of a phone that was handed a checkout: the session that opened it, whose deletion deletes this one */
    openerHash: text('opener_hash').references((): AnyPgColumn => sessions.tokenHash, { onDelete: 'cascade' }),
    /** of a phone that was handed a checkout: the only one that it may see and pay */
    checkout: jsonb().$type<HandoverCheckout>(),
    /** opened from the app, which is signed in to the account, by single sign-on */
    fromApp: boolean('from_app').notNull().default(false),
    /** the key that every call has to prove (RFC 9449): its SHA-256 thumbprint (RFC 7638); null without one */
    keyHash: text('key_hash'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.brand, table.uid),
    index('sessions_end').on(table.expiresAt),
    index('sessions_opener').on(table.openerHash),
  ],
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
    /** the session that the login opened, which may have ended */
    sessionHash: text('session_hash'),
  },
  (table) => [
    index('login_records_user').on(table.brand, table.uid, table.at),
    index('login_records_time').on(table.at),
  ],
);
