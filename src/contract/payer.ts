import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, text } from './fields.ts';

/**
 * [Note: Kept payer] Who pays is asked for once: with `keepPayer`, a purchase takes what is kept of the payer for what its
 * method asks and the form did not send, and keeps what it did send once the payment has not failed. Never a card
 * or its code, and never from a box or a phone that only buys, which stand where guests are. Documents, dates of birth and
 * numbers leave the server masked only. All of it goes with the account.
 */
export const savedGroupSchema = v.picklist(['name', 'document', 'birthDate', 'phone', 'address']);
export type SavedGroup = v.InferOutput<typeof savedGroupSchema>;

/** What a purchase need not ask for again, as its owner recognises it; empty texts where nothing is known. */
export const ownPayer = endpoint({
  name: 'ownPayer',
  method: 'POST',
  path: '/api/user/payer/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.object({
    kept: v.array(savedGroupSchema),
    /** of the payer, else of the nickname where it looks like a name: to begin the form with */
    firstName: text(60),
    lastName: text(60),
    /** masked, such as `•••.982.247-••` */
    document: text(30),
    /** masked, such as `•••• 4321` */
    phone: text(30),
    /** city and state */
    place: text(120),
    /** the number that the customer signs in by, with a plus and its area code: to begin the form with */
    accountPhone: text(40),
  }),
  reads: true,
  errors: ['unauthorized'],
});
export type OwnPayer = v.InferOutput<typeof ownPayer.result>;

/** Forgets what is kept of the payer. */
export const forgetPayer = endpoint({
  name: 'forgetPayer',
  method: 'POST',
  path: '/api/user/payer/forget/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: emptySchema,
  errors: ['unauthorized'],
});
