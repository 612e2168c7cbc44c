import * as v from 'valibot';
import type { CodePurpose } from '#contract/codes.ts';
import { accountTypeSchema, deviceTokenSchema } from '#contract/user.ts';
import { stored } from './stored.ts';

/** The login tab that was used last on this device. */
export const loginActiveTabKey = stored('loginActiveTab', accountTypeSchema, 'local', { personal: false });

/** Lets a later login prove that this device is known; without a password or a code it grants nothing. */
export const deviceTokenKey = stored('deviceToken', deviceTokenSchema, 'local', { personal: false });

export const codeWaitSchema = v.object({
  /** the recipient of the code */
  account: v.pipe(v.string(), v.minLength(1), v.maxLength(160)),
  type: accountTypeSchema,
  areaCode: v.optional(v.pipe(v.string(), v.maxLength(8))),
  /** when the next code can be requested, by the server's clock; epoch milliseconds */
  until: v.number(),
  /** the request's id, which is sent with its code */
  request: v.optional(v.pipe(v.string(), v.maxLength(64))),
});
export type CodeWait = v.InferOutput<typeof codeWaitSchema>;

export const codeWaitKey = (scene: CodePurpose) => stored(`codeWait.${scene}`, codeWaitSchema, 'session');
