import * as v from 'valibot';
import { planIdSchema, text, textSchema } from './fields.ts';

export const accountTypeSchema = v.picklist(['email', 'phone']);
export type AccountType = v.InferOutput<typeof accountTypeSchema>;

/** Tells a device that signed in before from a stranger's: see `deviceToken` of the session user. */
export const deviceTokenSchema = v.pipe(textSchema, v.regex(/^[\w.-]{16,200}$/));

/** FREE_TRIAL before the first plan, and while a trial's days last; then whether a plan that was paid is running. */
export const payStatusSchema = v.picklist(['FREE_TRIAL', 'PAID', 'EXPIRED']);
export type PayStatus = v.InferOutput<typeof payStatusSchema>;

/** Who is signed in. The token is opaque; `expiration` is epoch milliseconds. */
export const userInfoSchema = v.object({
  token: v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/)),
  uid: v.pipe(textSchema, v.minLength(1), v.maxLength(40)),
  account: text(160),
  type: accountTypeSchema,
  accountLoginType: text(20),
  payStatus: payStatusSchema,
  expiration: v.number(),
  /** the account will be deleted then, unless its owner thinks again ([Note: Deletion]); epoch milliseconds */
  leavesAt: v.optional(v.number()),
  /** the session watches and buys, and `ownerOnly` calls are refused to it: it is a TV's, or a phone's for one checkout */
  buysOnly: v.optional(v.boolean()),
  /** of a phone that was handed a checkout: the plan of it, which is all that the session may see and pay */
  onlyPlanId: v.optional(planIdSchema),
  /** proves to a later login that this device has signed in before; no use to anyone without the password or a code */
  deviceToken: v.optional(text(200)),
});
export type UserInfo = v.InferOutput<typeof userInfoSchema>;
