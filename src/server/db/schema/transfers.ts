import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, minorUnits, bytes } from './columns.ts';
import type { ProofRejection } from '#contract/next-step.ts';
import type { MethodDetails } from './brands.ts';
import { users } from './users.ts';

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
    /** why; of rejections before this was asked it is null */
    rejection: jsonb().$type<ProofRejection>(),
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
    index('transfers_reference').on(table.reference),
    index('transfers_unseen').on(table.createdAt).where(hasUnseenProof(table)),
  ],
);

/** A proof that nobody has looked at yet; also of an order that was cancelled meanwhile, because its money may be there. */
export function hasUnseenProof({
  state,
  objectId,
  reviewedAt,
}: Record<'state' | 'objectId' | 'reviewedAt', SQLWrapper>): SQL {
  return sql`(${state} = 'reviewing' or (${state} = 'closed' and ${objectId} is not null and ${reviewedAt} is null))`;
}

/**
 * Questions on phones by M-Pesa ([Note: M-Pesa pushes] in payments/mpesa). Written before Daraja is asked, which has no
 * idempotency key, so that a key is pushed once. Holds no number of a phone.
 */
export const mpesaPushes = pgTable('mpesa_pushes', {
  /** the attempt's id */
  key: text().primaryKey(),
  /** null while Daraja's answer is unknown */
  checkoutRequestId: text('checkout_request_id'),
  /** as M-Pesa tells it: `0` is paid, everything else is not; `closed` was asked about before it was pushed */
  resultCode: text('result_code'),
  /** of M-Pesa, by which the payment can be reversed; only the callback tells it */
  receipt: text(),
  createdAt: instant('created_at').notNull(),
  reversalAskedAt: instant('reversal_asked_at'),
  reversedAt: instant('reversed_at'),
});
