import * as v from 'valibot';
import { newPasswordSchema, passwordSchema } from './auth.ts';
import { accountTypeSchema, deviceTokenSchema } from './user.ts';
import { endpoint } from './endpoint.ts';
import { text, textSchema } from './fields.ts';

const dayMs = 86_400_000;

export const deviceSessionSchema = v.object({
  device: text(80),
  model: text(80),
  ip: text(45),
  loginAt: v.number(),
});
export type DeviceSession = v.InferOutput<typeof deviceSessionSchema>;

/** Account info (spec 3). Instants are epoch milliseconds; `expiredTime` is null before the first plan. */
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
  userDevice: v.number(),
  unsubscribeEmail: v.boolean(),
  loginApp: v.boolean(),
  bizRemainingDays: v.number(),
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
  errors: [21, 6699],
});

/**
 * What the customer still has to do: confirm the address, or set a new password before a purchase (2500). The
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
  }),
  reads: true,
  errors: [21],
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
  errors: [21, 3, 17, 4598, -24031],
});

/** Days left, rounded up; 0 once expired (spec 3). Both instants are epoch milliseconds. */
export function daysRemaining(expiredTime: number | null, now: number): number {
  return expiredTime === null || expiredTime <= now ? 0 : Math.ceil((expiredTime - now) / dayMs);
}

/** How to say it: under one day is a sentence of its own, not a plural (decisions, "Language"). */
export function remaining(expiredTime: number | null, now: number): 'none' | 'expired' | 'lessThanADay' | 'days' {
  if (expiredTime === null) return 'none';
  if (expiredTime <= now) return 'expired';
  return expiredTime - now < dayMs ? 'lessThanADay' : 'days';
}

/** When a plan that is bought now ends: it adds its days to what remains (spec 4). */
export function expiryAfter(expiredTime: number | null, planDays: number, now: number): number {
  return Math.max(expiredTime ?? 0, now) + planDays * dayMs;
}
