import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CodePurpose } from '#contract/codes.ts';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { users } from './users.ts';

/** The login details before a change that a link can undo. */
export interface PreviousContact {
  readonly account: string;
  /** set where the change also changed the type */
  readonly accountType?: 'email' | 'phone';
  readonly areaCode: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly googleSub: string | null;
}

/**
 * Four-digit codes, one per account and purpose; a new one replaces the old. A row exists whether the account exists or
 * not, so that responses do not reveal which accounts exist.
 */
export const verificationCodes = pgTable(
  'verification_codes',
  {
    brand: text().notNull(),
    /** as `users.account` has it */
    account: text().notNull(),
    scene: text().$type<CodePurpose>().notNull(),
    /** returned to the requester, so that no other caller can use up the tries or replace the code */
    request: text().notNull().default(''),
    /** the network of the request ([Note: Networks]) */
    network: text().notNull().default(''),
    /** HMAC of brand, account, scene and code, hex: an unkeyed hash of four digits is found by trying all */
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
 * Requested mail and SMS, before it is checked whether the account exists: the request responds at once, and a job
 * queues the message ([Note: Message requests] in messages/message-requests.ts).
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
    /** of a code: its purpose and digits */
    scene: text().$type<CodePurpose>(),
    code: text(),
    /** the known device of the request, which has limits of its own; empty for others */
    asker: text().notNull().default(''),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // of the previous version, which may still run
    index('message_requests_time').on(table.createdAt),
    index('message_requests_turn').on(table.brand, table.createdAt),
  ],
);

/** Links in mails. The token itself is only in the mail. */
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
    /** the address that the mail was sent to; of `renewal` a number where there is no address */
    email: text().notNull(),
    /** of `restore`: what it restores */
    before: jsonb().$type<PreviousContact>(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    index('mail_links_user').on(table.brand, table.uid, table.purpose),
    index('mail_links_end').on(table.expiresAt),
  ],
);

/** Unsolved captchas, and tickets of solved ones; each is used once. */
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

/** Single-use values that have been used: sign-on tokens, Google tickets, codes of the sandbox provider. */
export const usedTokens = pgTable(
  'spent_tokens',
  {
    brand: text().notNull(),
    id: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.id] }), index('spent_tokens_end').on(table.expiresAt)],
);

/** TV devices that show a code and wait for approval on a phone (RFC 8628). */
export const deviceGrants = pgTable(
  'device_grants',
  {
    /** SHA-256 of the device code, hex */
    deviceCodeHash: text('device_code_hash').primaryKey(),
    brand: text().notNull(),
    /** SHA-256 of the user code without its dash, hex */
    userCodeHash: text('user_code_hash').notNull(),
    /** the client that requested it and may fetch it: a TV device of ours, or the browser of a TV */
    client: text().$type<'box' | 'tv'>().notNull().default('box'),
    /** maker and model from our own list, empty where unknown: never text from the device */
    device: text().notNull(),
    model: text().notNull(),
    /** the owner of the device, from when the phone approved it; null until then */
    uid: text(),
    /** true when the device was already signed in */
    signedIn: boolean('signed_in').notNull(),
    state: text().$type<'waiting' | 'granted' | 'refused' | 'done'>().notNull(),
    /** the earliest time of the next poll */
    nextPollAt: instant('next_poll_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('device_grants_user_code').on(table.brand, table.userCodeHash),
    index('device_grants_end').on(table.expiresAt),
    index('device_grants_user').on(table.brand, table.uid),
  ],
);

/** Counters that limit guessing, shared by all processes. A row counts until `resetsAt` and then starts again. */
export const throttles = pgTable(
  'throttles',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: instant('resets_at').notNull(),
  },
  (table) => [index('throttles_end').on(table.resetsAt)],
);
