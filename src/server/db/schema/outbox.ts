import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';

/** The receipt to attach to a mail, and its language; it is drawn when the mail is sent. */
export interface AttachedReceipt {
  readonly orderId: string;
  readonly language: Language;
}

/** Queued mail, written in the same transaction as the change that it reports. */
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
    /** of an offer: the uid of the customer, who may unsubscribe while it is queued, and later with one click */
    offersTo: text('offers_to'),
    /** its reader waits for it: it is sent first, and even after a bounce */
    asked: boolean().notNull().default(false),
    receipt: jsonb().$type<AttachedReceipt>(),
    /** it is useless after that; null: the default of its channel */
    expiresAt: instant('expires_at'),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
    tries: integer().notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
    /** why the last attempt failed, or why there was none, for the operator; without addresses */
    lastAnswer: text('last_answer'),
  },
  (table) => [
    index('outbox_lanes').on(laneOf(table), table.brand, table.nextTryAt).where(isWaitingMessage(table)),
    index('outbox_waiting').on(laneOf(table), table.createdAt).where(isWaitingMessage(table)),
    index('outbox_sent')
      .on(table.sentAt)
      .where(sql`${table.sentAt} is not null`),
    index('outbox_given_up').on(table.createdAt).where(isUndeliverable(table)),
  ],
);

/** The lanes in which messages are sent, by their number in the index (jobs/send-outbox.ts). */
export const outboxLanes = { smsCodes: 0, smsUsual: 1, mailCodes: 2, mailUsual: 3, offers: 4 } as const;
export type OutboxLane = keyof typeof outboxLanes;

export function laneOf({ channel, asked, offersTo }: Record<'channel' | 'asked' | 'offersTo', SQLWrapper>): SQL {
  return sql`(case when ${channel} = 'sms' then (case when ${asked} then 0 else 1 end)
    when ${asked} then 2 when ${offersTo} is null then 3 else 4 end)`;
}

/** A message is dropped after this many attempts. */
export const maxMailTries = 12;

export function isUndeliverable({ sentAt, tries }: Record<'sentAt' | 'tries', SQLWrapper>): SQL {
  return sql`${sentAt} is null and ${tries} >= ${sql.raw(String(maxMailTries))}`;
}

export function isWaitingMessage({ sentAt, tries }: Record<'sentAt' | 'tries', SQLWrapper>): SQL {
  return sql`${sentAt} is null and ${tries} < ${sql.raw(String(maxMailTries))}`;
}

/** Addresses whose mail bounced (messages/bounces.ts). */
export const mailBounces = pgTable(
  'mail_bounces',
  {
    /** HMAC of the address in lower case (messages/bounces.ts): the table identifies no customer */
    addressHash: text('address_hash').primaryKey(),
    kind: text().$type<'permanent' | 'complaint'>().notNull(),
    at: instant('at').notNull(),
  },
  (table) => [index('mail_bounces_age').on(table.at)],
);
