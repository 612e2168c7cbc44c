import * as v from 'valibot';
import { newPasswordSchema, passwordSchema } from './auth.ts';
import { accountTypeSchema, deviceTokenSchema, payStatusSchema } from './user.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, text, textSchema } from './fields.ts';
import { periodSchema } from './periods.ts';

const dayMs = 86_400_000;

/** One of the customer's recent logins. Optional fields may be missing from another server's API. */
const deviceSessionSchema = v.object({
  device: text(80),
  model: text(80),
  ip: text(45),
  loginAt: v.number(),
  /** passed to `endSignIn` */
  signInId: v.optional(text(40), ''),
  /** this is the session that sends the request */
  here: v.optional(v.boolean(), false),
  /** the session is still valid and can be ended */
  open: v.optional(v.boolean(), false),
});
export type DeviceSession = v.InferOutput<typeof deviceSessionSchema>;

/** Account info. Timestamps are epoch milliseconds. */
const accountInfoSchema = v.object({
  uid: text(40),
  nickname: text(60),
  account: text(160),
  /** the current plan, or the last one after it ended; null before the first */
  planId: v.nullable(textSchema),
  planName: v.nullable(text(80)),
  /** a group of the backend's own; not shown */
  userType: text(20),
  /** the end of all paid and scheduled periods; null before the first plan */
  expiredTime: v.nullable(v.number()),
  accountCreationTime: v.number(),
  /** the last five logins, newest first */
  deviceSessions: v.array(deviceSessionSchema),
  /** devices that the plan allows at the same time */
  limitCount: v.number(),
  /** devices in use, out of `limitCount`: TV devices that are logged in, and sessions opened from the app */
  userDevice: v.number(),
  unsubscribeEmail: v.boolean(),
  /** a TV device or the app has logged in at least once */
  loginApp: v.boolean(),
  /** paid days that remain, rounded up: the current order and those that follow it, without trials */
  bizRemainingDays: v.number(),
  /** as in the session user, but current */
  payStatus: v.optional(payStatusSchema),
  /** when the account will be deleted, if the customer has requested that; otherwise null */
  leavesAt: v.optional(v.nullable(v.number()), null),
  /** the current period and those that follow, in order, at most twelve */
  periods: v.optional(v.array(periodSchema), []),
});
export type AccountInfo = v.InferOutput<typeof accountInfoSchema>;

/**
 * The account of the customer with its current and later periods. The token alone says whose account it is; another `uid`
 * in the body may be refused with `invalidUid`.
 */
export const queryInfo = endpoint({
  name: 'queryInfo',
  method: 'POST',
  path: '/api/user/queryInfo/v1',
  access: 'customer',
  body: v.strictObject({ uid: text(40), account: text(160), type: accountTypeSchema }),
  result: accountInfoSchema,
  reads: true,
  errors: ['invalidUid'],
});

/**
 * What the customer still has to do: confirm the email address, or set a new password before a purchase
 * (`resetPasswordFirst`). The specification names this call but not its shape; "urv" is read as "user required
 * verifications".
 */
export const queryUrv = endpoint({
  name: 'queryUrv',
  method: 'POST',
  path: '/api/user/query/urv',
  access: 'customer',
  result: v.object({
    emailVerified: v.boolean(),
    passwordResetDue: v.boolean(),
    /** false for a customer who has only ever logged in with Google */
    hasPassword: v.boolean(),
    /** the email address; null for a phone account without one */
    email: v.nullable(text(160)),
    /** email to it bounces, so only email that the customer requests is sent */
    mailBounces: v.optional(v.boolean(), false),
  }),
  reads: true,
});

/**
 * Changes the password and ends every session, including the current one. `wrongPassword` if the current password is
 * wrong.
 */
export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/user/changePassword/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ currentPassword: passwordSchema, newPassword: newPasswordSchema }),
  result: v.object({
    /** the new token of this device; all other device tokens are deleted: see `deviceToken` of the session user */
    deviceToken: v.optional(deviceTokenSchema),
  }),
  errors: ['wrongPassword', 'tooManyFailures', 'operationUnsupported', 'unauthorized'],
});

/**
 * Ends the sessions of one login. For a TV device this includes phones that received a checkout from it. Succeeds
 * without effect for an unknown `signInId`.
 */
export const endSignIn = endpoint({
  name: 'endSignIn',
  method: 'POST',
  path: '/api/user/session/end/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ signInId: text(40) }),
  result: emptySchema,
  errors: ['unauthorized'],
});

/** Ends every other session, and revokes TV codes that could become sessions. */
export const endOtherSignIns = endpoint({
  name: 'endOtherSignIns',
  method: 'POST',
  path: '/api/user/session/endOthers/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.object({ ended: v.number() }),
  errors: ['unauthorized'],
});

/** Days left, rounded up; 0 once expired. Both timestamps are epoch milliseconds. */
export function daysRemaining(expiredTime: number | null, now: number): number {
  return expiredTime === null || expiredTime <= now ? 0 : Math.ceil((expiredTime - now) / dayMs);
}

/** Which message describes the remaining time. Less than a day has its own message instead of a plural form. */
export function remainingTimeState(
  expiredTime: number | null,
  now: number,
): 'none' | 'expired' | 'lessThanADay' | 'days' {
  if (expiredTime === null) return 'none';
  if (expiredTime <= now) return 'expired';
  return expiredTime - now < dayMs ? 'lessThanADay' : 'days';
}

/** When a plan bought now ends: its days are added to the remaining ones. Epoch milliseconds. */
export function expiryAfter(expiredTime: number | null, planDays: number, now: number): number {
  return Math.max(expiredTime ?? 0, now) + planDays * dayMs;
}
