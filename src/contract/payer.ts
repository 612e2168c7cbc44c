import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, text } from './fields.ts';

/**
 * Groups of payer fields that a method requires. `mobile` is the number charged by mobile money. `cardPage`: the card
 * is typed on the provider's page, so no card field is shown here, not even the security code of a saved card.
 */
export const payerFieldSchema = v.picklist([
  ...(['card', 'cardPage', 'name', 'document', 'birthDate', 'phone', 'mobile', 'address'] as const),
]);
export type PayerField = v.InferOutput<typeof payerFieldSchema>;

/**
 * [Note: Kept payer] The payer's data is typed once: with `keepPayer`, a purchase fills the fields that the form did
 * not send from the stored payer, and stores those that it did send unless the payment fails. Never a card or its code,
 * and never from a TV device or a handed-over checkout, which guests may use. Documents, birth dates and numbers leave
 * the server only masked. All of it is deleted with the account.
 */
const savedGroupSchema = v.picklist(['name', 'document', 'birthDate', 'phone', 'address']);
export type SavedGroup = v.InferOutput<typeof savedGroupSchema>;

/**
 * Stored payer data that a purchase need not request again, in a form its customer recognizes; empty if nothing is
 * stored.
 */
export const ownPayer = endpoint({
  name: 'ownPayer',
  method: 'POST',
  path: '/api/user/payer/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.object({
    kept: v.array(savedGroupSchema),
    /** from the payer, else from a nickname that looks like a name: prefills the form */
    firstName: text(60),
    lastName: text(60),
    /** masked, such as `•••.982.247-••` */
    document: text(30),
    /** masked, such as `•••• 4321` */
    phone: text(30),
    /** city and state */
    place: text(120),
    /** the number that the customer logs in with, with a plus and area code: prefills the form */
    accountPhone: text(40),
  }),
  reads: true,
  errors: ['unauthorized'],
});
export type OwnPayer = v.InferOutput<typeof ownPayer.result>;

/** Deletes the stored payer. */
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
