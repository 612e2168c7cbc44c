import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, text } from './fields.ts';

/** A TV box that is signed in. Maker and model are from the server's own list, and empty where it has no name there. */
export const boxSchema = v.object({
  boxId: text(40),
  maker: text(80),
  model: text(80),
  /** epoch milliseconds */
  signedInAt: v.number(),
});
export type SignedInBox = v.InferOutput<typeof boxSchema>;

/** The boxes that are signed in with the customer's account, the newest first. */
export const listBoxes = endpoint({
  name: 'listBoxes',
  method: 'POST',
  path: '/api/user/device/list/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.array(boxSchema),
  reads: true,
  errors: ['unauthorized'],
});

/** Signs a box out. One that is gone, or was never the customer's, is as good as signed out. */
export const endBox = endpoint({
  name: 'endBox',
  method: 'POST',
  path: '/api/user/device/end/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ boxId: text(40) }),
  result: emptySchema,
  errors: ['unauthorized'],
});
