import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CodePurpose } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { users } from './users.ts';

/** What a customer signed in by before a change that a link undoes. */
export interface ContactBefore {
  readonly account: string;
  /** where the change was one of the kind of name, too */
  readonly accountType?: 'email' | 'phone';
  readonly areaCode: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly googleSub: string | null;
}

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
    scene: text().$type<CodePurpose>().notNull(),
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
 * once, and a job writes what is to be written ([Note: Message requests] in messages/message-requests.ts).
 */
export const messageRequests = pgTable(
  'message_requests',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    kind: text().$type<'code' | 'reset' | 'confirm'>().notNull(),
    account: text().notNull(),
    accountType: text('account_type').$type<'email' | 'phone'>().notNull(),
    language: text().$type<Language>().notNull(),
    /** of a code: what it is for, and its digits */
    scene: text().$type<CodePurpose>(),
    code: text(),
    /** a known device that asked, which has limits of its own; empty for everybody else */
    asker: text().notNull().default(''),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // of the previous version, which may still run
    index('message_requests_time').on(table.createdAt),
    index('message_requests_turn').on(table.brand, table.createdAt),
  ],
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
    purpose: text().$type<'confirm' | 'reset' | 'bind' | 'restore' | 'renewal'>().notNull(),
    /** the address that the mail went to; of `renewal` a number where there is no address */
    email: text().notNull(),
    /** of `restore`: what it puts back */
    before: jsonb().$type<ContactBefore>(),
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
export const usedTokens = pgTable(
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
    /** who has asked for it, and may fetch it: a box of ours, or the browser of a TV */
    client: text().$type<'box' | 'tv'>().notNull().default('box'),
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
