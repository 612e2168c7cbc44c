import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, minorUnits, bytes } from './columns.ts';
import type { ProofRejection } from '#contract/next-step.ts';
import type { MethodDetails } from './brands.ts';
import { users } from './users.ts';

/** Images and documents that customers upload as proof of a transfer. */
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

/** Transfers to the brand's own account, which staff check by hand (payments/transfer). */
export const transfers = pgTable(
  'transfers',
  {
    /** the attempt's id */
    key: text().primaryKey(),
    brand: text().notNull(),
    flavour: text().$type<'paynow' | 'caishen'>().notNull(),
    /** the reference that the payer enters with the transfer */
    reference: text().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    payload: text(),
    receiver: jsonb().$type<NonNullable<MethodDetails['receiver']>>().notNull(),
    state: text().$type<'waiting' | 'reviewing' | 'accepted' | 'closed' | 'refunded'>().notNull(),
    /** the last proof was rejected */
    proofRejected: boolean('proof_rejected').notNull().default(false),
    /** why; null for rejections before reasons were recorded */
    rejection: jsonb().$type<ProofRejection>(),
    /** the last uploaded proof */
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

/**
 * A proof that has not been reviewed; also of an order that was cancelled since, because its money may have arrived.
 */
export function hasUnseenProof({
  state,
  objectId,
  reviewedAt,
}: Record<'state' | 'objectId' | 'reviewedAt', SQLWrapper>): SQL {
  return sql`(${state} = 'reviewing' or (${state} = 'closed' and ${objectId} is not null and ${reviewedAt} is null))`;
}

/**
 * Payment prompts on phones by M-Pesa (payments/mpesa). Written before Daraja is called, which has no idempotency key,
 * so that a key is pushed once. Contains no phone number.
 */
export const mpesaPushes = pgTable('mpesa_pushes', {
  /** the attempt's id */
  key: text().primaryKey(),
  /** null while Daraja's response is unknown */
  checkoutRequestId: text('checkout_request_id'),
  /** M-Pesa's result: `0` is paid, everything else is not; `closed` means that it was queried before it was pushed */
  resultCode: text('result_code'),
  /** M-Pesa's receipt, by which the payment can be reversed; only the callback contains it */
  receipt: text(),
  createdAt: instant('created_at').notNull(),
  reversalAskedAt: instant('reversal_asked_at'),
  reversedAt: instant('reversed_at'),
});
