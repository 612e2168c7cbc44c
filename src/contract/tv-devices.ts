import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, text } from './fields.ts';

/** A TV device that is logged in. Maker and model come from the server's list; empty if the device is not in it. */
const tvDeviceSchema = v.object({
  boxId: text(40),
  maker: text(80),
  model: text(80),
  /** epoch milliseconds */
  signedInAt: v.number(),
});
export type SignedInTvDevice = v.InferOutput<typeof tvDeviceSchema>;

/** The TV devices that are logged in to the customer's account, newest first. */
export const listBoxes = endpoint({
  name: 'listBoxes',
  method: 'POST',
  path: '/api/user/device/list/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.array(tvDeviceSchema),
  reads: true,
  errors: ['unauthorized'],
});

/** Logs a TV device out. Succeeds without effect for an unknown `boxId`. */
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
