import * as v from 'valibot';
import { planIdSchema, text, textSchema } from './fields.ts';

export const accountTypeSchema = v.picklist(['email', 'phone']);
export type AccountType = v.InferOutput<typeof accountTypeSchema>;

/** Identifies a device that has logged in before: see `deviceToken` of the session user. */
export const deviceTokenSchema = v.pipe(textSchema, v.regex(/^[\w.-]{16,200}$/));

/** FREE_TRIAL before the first plan and during a trial; then whether a paid plan is current. */
export const payStatusSchema = v.picklist(['FREE_TRIAL', 'PAID', 'EXPIRED']);
export type PayStatus = v.InferOutput<typeof payStatusSchema>;

/** The logged-in customer. The token is opaque. */
export const userInfoSchema = v.object({
  token: v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/)),
  uid: v.pipe(textSchema, v.minLength(1), v.maxLength(40)),
  account: text(160),
  type: accountTypeSchema,
  /** how the customer logged in, such as `password`; not shown */
  accountLoginType: text(20),
  payStatus: payStatusSchema,
  /** when the session ends, whatever the plan: the browser logs out then; epoch milliseconds */
  expiration: v.number(),
  /** `DPoP` if the session is bound to a key: calls with its token then need a proof (RFC 9449) */
  tokenType: v.optional(v.picklist(['Bearer', 'DPoP'])),
  /** when the account will be deleted, if the customer has requested that; epoch milliseconds */
  leavesAt: v.optional(v.number()),
  /**
   * the session may watch and buy, but cannot make `ownerOnly` calls: a TV device, or a phone in a handed-over checkout
   */
  buysOnly: v.optional(v.boolean()),
  /** for a handed-over checkout: the only plan that the session may see and pay */
  onlyPlanId: v.optional(planIdSchema),
  /** proves to a later login that this device has logged in before; useless without the password or a code */
  deviceToken: v.optional(text(200)),
});
export type UserInfo = v.InferOutput<typeof userInfoSchema>;
