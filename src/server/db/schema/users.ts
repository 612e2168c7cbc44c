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
    /** where mail goes: the account itself, or an address that was bound to a number later */
    email: text(),
    /** by which one signs in besides an address: the account itself, or a number that was added to an address later */
    phone: text(),
    /** when the customer proved to read mail or SMS at the account; null until then */
    verifiedAt: instant('verified_at'),
    /** null for someone who has only ever come by Google */
    passwordHash: text('password_hash'),
    /** an upgrade asks for a new password before the next purchase (`resetPasswordFirst`) */
    passwordResetDue: boolean('password_reset_due').notNull().default(false),
    /** `sub` of the Google account, which never changes */
    googleSub: text('google_sub'),
    nickname: text().notNull().default(''),
    userType: text('user_type').notNull().default('MEMBER'),
    /** how often everybody was signed out, and when last: what was begun before opens nothing ([Note: Eviction]) */
    evictions: integer().notNull().default(0),
    evictedAt: instant('evicted_at'),
    language: text().$type<Language>().notNull(),
    /**
     * Plan and devices of days that no order gave; once those have run, of the last order whose days began as it was paid.
     * What runs now is asked of the orders ([Note: Periods]), of which each has its own. Null: no plan, such as a trial.
     */
    planId: text('plan_id'),
    limitCount: integer('limit_count').notNull().default(0),
    /** when the last of all periods ends */
    expiredTime: instant('expired_time'),
    /** a renewal has not been paid yet: access runs until then on credit ([Note: Grace]) */
    graceUntil: instant('grace_until'),
    unsubscribeEmail: boolean('unsubscribe_email').notNull().default(false),
    loginApp: boolean('login_app').notNull().default(false),
    /** what the link that led to the sign-up brought along */
    entry: jsonb().$type<Record<string, string>>(),
    createdAt: instant('created_at').notNull(),
    /** when the account is deleted, and, once it is, when what tax law keeps of it goes, too ([Note: Deletion]) */
    leavesAt: instant('leaves_at'),
  },
  (table) => [
    index('users_leaving')
      .on(table.leavesAt)
      .where(sql`${table.leavesAt} is not null`),
    // found by their beginning and their end, whatever the database's collation
    index('users_account_start').on(table.account.op('text_pattern_ops')),
    index('users_account_end').on(sql`reverse(${table.account}) text_pattern_ops`),
    index('users_other_start').on(sql`(${otherName(table)}) text_pattern_ops`),
    uniqueIndex('users_account').on(table.brand, table.account),
    uniqueIndex('users_email').on(table.brand, table.email),
    uniqueIndex('users_phone').on(table.brand, table.phone),
    index('users_offers').on(table.brand, table.uid).where(getsOffers(table)),
    uniqueIndex('users_google').on(table.brand, table.googleSub),
  ],
);

/** What a customer is called besides the account: an address that was bound to a number, or a number to an address. */
export function otherName({ accountType, email, phone }: Record<'accountType' | 'email' | 'phone', SQLWrapper>): SQL {
  return sql`case when ${accountType} = 'phone' then ${email} else ${phone} end`;
}

/** Who has said no to nothing, and has proved to read mail at the address; one that was bound to a number is proved. */
export function getsOffers({
  unsubscribeEmail,
  email,
  accountType,
  verifiedAt,
}: Record<'unsubscribeEmail' | 'email' | 'accountType' | 'verifiedAt', SQLWrapper>): SQL {
  return sql`not ${unsubscribeEmail} and ${email} is not null and (${accountType} = 'phone' or ${verifiedAt} is not null)`;
}

/** The checkout of a phone's session ([Note: Hand-over]): one plan, and its orders since then. */
export interface HandedCheckout {
  readonly planId: string;
  /** an unpaid order of that plan that is to be paid */
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
    /** a box may watch and buy, and nothing that an endpoint keeps for its owner */
    kind: text().$type<'customer' | 'box'>().notNull().default('customer'),
    /** of a box: what the owner ends it by, and its name from our own list, empty where it has none there */
    boxId: text('box_id'),
    boxMaker: text('box_maker').notNull().default(''),
    boxModel: text('box_model').notNull().default(''),
    /** a phone's, for a checkout that was handed to it; it bears the id of the TV's box and ends with it */
    handed: boolean().notNull().default(false),
    /** of a phone that was handed a checkout: the session that opened it, whose deletion deletes this one */
    openerHash: text('opener_hash').references((): AnyPgColumn => sessions.tokenHash, { onDelete: 'cascade' }),
    /** of a phone that was handed a checkout: the only one that it may see and pay */
    checkout: jsonb().$type<HandedCheckout>(),
    /** came out of the app, which is signed in with the account too, by single sign-on */
    fromApp: boolean('from_app').notNull().default(false),
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
    /** the session that it opened, which may be gone */
    sessionHash: text('session_hash'),
  },
  (table) => [
    index('login_records_user').on(table.brand, table.uid, table.at),
    index('login_records_time').on(table.at),
  ],
);
