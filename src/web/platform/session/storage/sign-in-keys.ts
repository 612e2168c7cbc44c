import * as v from 'valibot';
import type { CodePurpose } from '#contract/codes.ts';
import { accountTypeSchema, deviceTokenSchema } from '#contract/user.ts';
import { stored } from './stored.ts';

/** Which tab of the login was used last on this device. */
export const loginActiveTabKey = stored('loginActiveTab', accountTypeSchema, 'local', { personal: false });

/** Shows to a later login that this device is known; without a password or a code it opens nothing. */
export const deviceTokenKey = stored('deviceToken', deviceTokenSchema, 'local', { personal: false });

export const codeWaitSchema = v.object({
  /** where the code went */
  account: v.pipe(v.string(), v.minLength(1), v.maxLength(160)),
  type: accountTypeSchema,
  areaCode: v.optional(v.pipe(v.string(), v.maxLength(8))),
  /** when another one can be asked for, by the server's clock; epoch milliseconds */
  until: v.number(),
  /** the request's own name, which goes with its code */
  request: v.optional(v.pipe(v.string(), v.maxLength(64))),
});
export type CodeWait = v.InferOutput<typeof codeWaitSchema>;

export const codeWaitKey = (scene: CodePurpose) => stored(`codeWait.${scene}`, codeWaitSchema, 'session');
