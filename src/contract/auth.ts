import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text } from './fields.ts';
import { minPasswordLength } from './limits.ts';

export const accountTypeSchema = v.picklist(['email', 'phone']);
export type AccountType = v.InferOutput<typeof accountTypeSchema>;

/** An address or number as typed, without spaces. Whether it looks right is for the brand's rules to say. */
export const accountSchema = v.pipe(
  v.string(),
  v.transform((value) => value.replace(/\s/g, '')),
  v.minLength(3),
  v.maxLength(160),
);

/** At most 200 characters, because hashing costs by length; never trimmed. */
const passwordSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
export const newPasswordSchema = v.pipe(v.string(), v.minLength(minPasswordLength), v.maxLength(200));

/** Who is signed in (spec 3, "Session user"). The token is opaque; `expiration` is epoch milliseconds. */
export const userInfoSchema = v.object({
  token: v.pipe(v.string(), v.regex(/^[\w-]{20,128}$/)),
  uid: v.pipe(v.string(), v.minLength(1), v.maxLength(40)),
  account: text(160),
  type: accountTypeSchema,
  accountLoginType: text(20),
  payStatus: v.picklist(['FREE_TRIAL', 'PAID', 'EXPIRED']),
  expiration: v.number(),
});
export type UserInfo = v.InferOutput<typeof userInfoSchema>;

/** 3001 for a wrong pair, whether the account exists or not; 17 and 7004 after too many tries. */
export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/api/user/login/v1',
  body: v.strictObject({
    account: accountSchema,
    password: passwordSchema,
    type: accountTypeSchema,
    areaCode: v.optional(text(8)),
    captchaId: v.optional(text(64)),
    captcha: v.optional(text(16)),
  }),
  result: userInfoSchema,
  errors: [3001, 17, 7004, 8, 32, 197],
});

/** Creates the account and signs in. 6 tells that the address is taken, to someone who is about to prove it is theirs. */
export const signup = endpoint({
  name: 'signup',
  method: 'POST',
  path: '/api/user/signup/v1',
  body: v.strictObject({
    account: accountSchema,
    type: v.optional(accountTypeSchema, 'email'),
    areaCode: v.optional(text(8)),
    password: newPasswordSchema,
    code: v.optional(v.pipe(v.string(), v.regex(/^\d{4}$/))),
    nickname: v.optional(v.pipe(v.string(), v.regex(/^[\p{L}\p{N} ]{0,40}$/u))),
    agreePolicy: v.literal(true),
    language: languageSchema,
    entry: v.optional(v.record(text(32), text(200))),
  }),
  result: userInfoSchema,
  errors: [6, 8, 32, -3031],
});

/** Ends the session of the token. The account is sent empty (spec 3). A token that is gone is already logged out. */
export const loginOut = endpoint({
  name: 'loginOut',
  method: 'POST',
  path: '/api/user/loginOut/v1',
  access: 'optional',
  body: v.strictObject({ language: languageSchema, uid: text(40), account: v.literal('') }),
  result: emptySchema,
});

/** Countdown config (spec 3): which brand this is, and how many seconds between two codes. */
export const countdownConfig = endpoint({
  name: 'countdownConfig',
  method: 'GET',
  path: '/api/user/get/config/v1',
  result: v.object({
    brand: text(60),
    brandId: text(40),
    vnoId: text(40),
    tenantId: text(40),
    env: text(20),
    /** seconds; 60 when the server says nothing */
    caffeineRegionVerify: v.optional(v.pipe(v.number(), v.minValue(1)), 60),
  }),
});
