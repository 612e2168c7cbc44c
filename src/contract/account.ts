import * as v from 'valibot';
import { newPasswordSchema, passwordSchema } from './auth.ts';
import { accountTypeSchema, deviceTokenSchema, payStatusSchema } from './user.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, text, textSchema } from './fields.ts';
import { periodSchema } from './periods.ts';

const dayMs = 86_400_000;

/** A sign-in of the last ones. The fields that are optional are those that another API need not know. */
export const deviceSessionSchema = v.object({
  device: text(80),
  model: text(80),
  ip: text(45),
  loginAt: v.number(),
  /** what `endSignIn` ends it by */
  signInId: v.optional(text(40), ''),
  /** it is the session that asks */
  here: v.optional(v.boolean(), false),
  /** its session is still open, and can be ended */
  open: v.optional(v.boolean(), false),
});
export type DeviceSession = v.InferOutput<typeof deviceSessionSchema>;

/**
 * Account info. Instants are epoch milliseconds. Plan and devices are those that run now, or ran last;
 * `expiredTime` is when all that follows has ended, too, and null before the first plan.
 */
export const accountInfoSchema = v.object({
  uid: text(40),
  nickname: text(60),
  account: text(160),
  planId: v.nullable(textSchema),
  planName: v.nullable(text(80)),
  userType: text(20),
  expiredTime: v.nullable(v.number()),
  accountCreationTime: v.number(),
  /** the last five, newest first */
  deviceSessions: v.array(deviceSessionSchema),
  limitCount: v.number(),
  /** devices that watch, of the `limitCount` that may: boxes that are signed in, and sessions that came out of the app */
  userDevice: v.number(),
  unsubscribeEmail: v.boolean(),
  /** a box or the app has signed in once */
  loginApp: v.boolean(),
  /** days, rounded up, that are paid and have not run yet: of the order that runs and of those that follow, not of a trial */
  bizRemainingDays: v.number(),
  /** as in the session user, and as it is now */
  payStatus: v.optional(payStatusSchema),
  /** when the account is deleted, as its owner has asked for ([Note: Deletion]); null where nobody has */
  leavesAt: v.optional(v.nullable(v.number()), null),
  /** what runs now and what follows, in its order, at most twelve */
  periods: v.optional(v.array(periodSchema), []),
});
export type AccountInfo = v.InferOutput<typeof accountInfoSchema>;

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
 * What the customer still has to do: confirm the address, or set a new password before a purchase (`resetPasswordFirst`). The
 * specification names the call and not its shape; "urv" is read as the user's required verifications.
 */
export const queryUrv = endpoint({
  name: 'queryUrv',
  method: 'POST',
  path: '/api/user/query/urv',
  access: 'customer',
  result: v.object({
    emailVerified: v.boolean(),
    passwordResetDue: v.boolean(),
    /** false for someone who has only ever come by Google */
    hasPassword: v.boolean(),
    /** the address for mail; null for a phone number without one */
    email: v.nullable(text(160)),
    /** mail to it comes back, so nothing goes there but what is asked for */
    mailBounces: v.optional(v.boolean(), false),
  }),
  reads: true,
});

/** 3 when the current password is wrong. Every session ends, this one, too. */
export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/user/changePassword/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ currentPassword: passwordSchema, newPassword: newPasswordSchema }),
  result: v.object({
    /** every device is forgotten but this one: see `deviceToken` of the session user */
    deviceToken: v.optional(deviceTokenSchema),
  }),
  errors: ['wrongPassword', 'tooManyFailures', 'operationUnsupported', 'unauthorized'],
});

/**
 * Signs out what one sign-in has opened; of a TV, with the phones that it has handed a checkout to. What has ended, or was
 * never the customer's, is as good as signed out.
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

/** Signs out everything but the session that asks, and takes back what is about to become a session: codes of TVs. */
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

/** Days left, rounded up; 0 once expired. Both instants are epoch milliseconds. */
export function daysRemaining(expiredTime: number | null, now: number): number {
  return expiredTime === null || expiredTime <= now ? 0 : Math.ceil((expiredTime - now) / dayMs);
}

/** How to say it: under one day is a sentence of its own, not a plural. */
export function remaining(expiredTime: number | null, now: number): 'none' | 'expired' | 'lessThanADay' | 'days' {
  if (expiredTime === null) return 'none';
  if (expiredTime <= now) return 'expired';
  return expiredTime - now < dayMs ? 'lessThanADay' : 'days';
}

/** When a plan that is bought now ends: it adds its days to what remains. */
export function expiryAfter(expiredTime: number | null, planDays: number, now: number): number {
  return Math.max(expiredTime ?? 0, now) + planDays * dayMs;
}
