import * as v from 'valibot';
import { text, textSchema } from './fields.ts';

export const accountTypeSchema = v.picklist(['email', 'phone']);
export type AccountType = v.InferOutput<typeof accountTypeSchema>;

/** Tells a device that signed in before from a stranger's: see `deviceToken` of the session user. */
export const deviceTokenSchema = v.pipe(textSchema, v.regex(/^[\w.-]{16,200}$/));

/** Who is signed in (spec 3, "Session user"). The token is opaque; `expiration` is epoch milliseconds. */
export const userInfoSchema = v.object({
  token: v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/)),
  uid: v.pipe(textSchema, v.minLength(1), v.maxLength(40)),
  account: text(160),
  type: accountTypeSchema,
  accountLoginType: text(20),
  payStatus: v.picklist(['FREE_TRIAL', 'PAID', 'EXPIRED']),
  expiration: v.number(),
  /** proves to a later login that this device has signed in before; no use to anyone without the password or a code */
  deviceToken: v.optional(text(200)),
});
export type UserInfo = v.InferOutput<typeof userInfoSchema>;
