import * as v from 'valibot';
import { confirmationSchema } from './confirm-owner.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text, textSchema } from './fields.ts';

/**
 * All data stored about a customer, by table: timestamps are epoch milliseconds, amounts minor units beside their
 * currency. Secrets and what only a gateway may know are left out. `requestExpired` without a valid confirmation,
 * `tooFrequent` too often.
 */
export const exportData = endpoint({
  name: 'exportData',
  method: 'POST',
  path: '/api/user/data/export/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ confirmation: confirmationSchema }),
  result: v.object({
    brand: text(80),
    exportedAt: v.number(),
    data: v.record(textSchema, v.array(v.record(textSchema, v.unknown()))),
  }),
  errors: ['tooFrequent', 'requestExpired', 'unauthorized'],
});

/** Receipts per request. */
export const receiptsPerRequest = 50;

/**
 * Receipts as printable pages, oldest first, in batches that limit memory. `after` is the `next` of the previous
 * answer; `next` is null after the last batch.
 */
export const exportReceipts = endpoint({
  name: 'exportReceipts',
  method: 'POST',
  path: '/api/user/data/receipts/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({
    confirmation: confirmationSchema,
    language: languageSchema,
    after: v.nullable(v.pipe(textSchema, v.regex(/^\d{13}-[A-Z0-9]{8,32}$/))),
  }),
  result: v.object({
    receipts: v.array(v.object({ name: text(80), html: textSchema })),
    next: v.nullable(text(60)),
  }),
  errors: ['tooFrequent', 'requestExpired', 'unauthorized'],
});

/**
 * An account is deleted a week after the customer's request, so that the customer can reconsider and an intruder cannot
 * do it unnoticed: an email is sent at once, and `keepAccount` cancels the request. Meanwhile the customer can log in
 * and watch, but not buy, and nothing renews. Then everything is deleted except what tax law requires: orders, their
 * payments, invoices and the ledger, without personal data, for `keptYears`.
 */
export const deletionState = endpoint({
  name: 'deletionState',
  method: 'POST',
  path: '/api/user/deletion/state/v1',
  access: 'customer',
  body: emptySchema,
  result: v.object({
    /** when it will be deleted, in epoch milliseconds; null without a request */
    leavesAt: v.nullable(v.number()),
    /** what is deleted */
    expiredTime: v.nullable(v.number()),
    cards: v.number(),
    passkeys: v.number(),
    boxes: v.number(),
    renews: v.boolean(),
    /** a renewal charge is at the bank and can no longer be cancelled; it counts if it succeeds */
    charging: v.optional(v.boolean(), false),
    /** orders that may still be paid; later payments are refunded */
    openOrders: v.number(),
    /** what is retained, and for how long */
    orders: v.number(),
    keptYears: v.number(),
    /** where emails are sent; null for a phone account without an address */
    email: v.nullable(text(160)),
  }),
  reads: true,
});

/** Requests the deletion; a repeated request changes nothing. */
export const requestDeletion = endpoint({
  name: 'requestDeletion',
  method: 'POST',
  path: '/api/user/deletion/request/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ confirmation: confirmationSchema }),
  result: v.object({ leavesAt: v.number() }),
  errors: ['requestExpired', 'unauthorized'],
});

/** Cancels the deletion request, if there is one. A renewal that the request ended stays off. */
export const keepAccount = endpoint({
  name: 'keepAccount',
  method: 'POST',
  path: '/api/user/deletion/keep/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: emptySchema,
  errors: ['unauthorized'],
});
