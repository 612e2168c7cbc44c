import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { users } from './users.ts';

/** Public keys of customers. The private keys never leave their devices. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** the RP ID: the host without a port, where it was created and the only place where it works */
    host: text().notNull(),
    /** base64url */
    credentialId: text('credential_id').notNull(),
    /** the user handle: random, because it may be read from a lost device; base64url */
    userHandle: text('user_handle').notNull(),
    /** COSE */
    publicKey: bytes('public_key').notNull(),
    /** signature counter, where the device has one; a decrease means a cloned key */
    counter: instant('counter').notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    synced: boolean().notNull(),
    name: text().notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.brand, table.host, table.credentialId),
    index('passkeys_owner').on(table.brand, table.uid, table.createdAt),
  ],
);

/** Open WebAuthn challenges; each is used once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** SHA-256 of the challenge, hex */
    challengeHash: text('challenge_hash').primaryKey(),
    brand: text().notNull(),
    host: text().notNull(),
    /** the customer for whom a passkey is created; null for a login */
    uid: text(),
    userHandle: text('user_handle'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('passkey_challenges_end').on(table.expiresAt),
    index('passkey_challenges_owner')
      .on(table.uid)
      .where(sql`${table.uid} is not null`),
  ],
);
