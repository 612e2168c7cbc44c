import * as v from 'valibot';
import { confirmationSchema } from './confirm-owner.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text, textSchema } from './fields.ts';

/**
 * Everything that the shop keeps of a customer, by what it is, as the database has it: instants are epoch milliseconds,
 * amounts are minor units beside their currency. What opens something, and what only a gateway may know, is left out.
 * `requestExpired` without a good confirmation, `tooFrequent` too often.
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

/** How many receipts come at once. */
export const receiptsAtOnce = 50;

/**
 * Receipts as pages that can be printed, the oldest first, so many at once that nobody needs much room for them: `after`
 * is the `next` of the answer before, and null when there is none.
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
 * [Note: Deletion] An account is deleted a week after its owner has asked for it, so that there is time to think again and
 * somebody who has got in cannot do it unseen: a mail says so at once, and `keepAccount` takes it back. Meanwhile the
 * customer can log in and watch, and nothing can be bought and nothing renews. Then everything goes but what tax law keeps: orders, their payments and
 * the books, which name nobody any more, for `keptYears`.
 */
export const deletionState = endpoint({
  name: 'deletionState',
  method: 'POST',
  path: '/api/user/deletion/state/v1',
  access: 'customer',
  body: emptySchema,
  result: v.object({
    /** when it will be deleted, in epoch milliseconds; null when nobody has asked */
    leavesAt: v.nullable(v.number()),
    /** what is lost */
    expiredTime: v.nullable(v.number()),
    cards: v.number(),
    passkeys: v.number(),
    boxes: v.number(),
    renews: v.boolean(),
    /** a payment of the renewal is at its bank, and cannot be called off any more; if it comes through, it counts */
    charging: v.optional(v.boolean(), false),
    /** orders that may still be paid; money that comes later is given back */
    openOrders: v.number(),
    /** what is kept, and for how long */
    orders: v.number(),
    keptYears: v.number(),
    /** where the mails go; null for a number without an address */
    email: v.nullable(text(160)),
  }),
  reads: true,
});

/** Asks for the deletion; asking again changes nothing. */
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

/** Takes it back; what was never asked for is taken back already. A renewal that was ended stays off. */
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
