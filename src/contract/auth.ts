import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text } from './fields.ts';
import { minPasswordLength } from './limits.ts';
import { accountTypeSchema, deviceTokenSchema, userInfoSchema } from './user.ts';

/** An address or number as typed, without spaces. Whether it looks right is for the brand's rules to say. */
export const accountSchema = v.pipe(
  v.string(),
  v.transform((value) => value.replace(/\s/g, '')),
  v.minLength(3),
  v.maxLength(160),
);

/** At most 200 characters, because hashing costs by length; never trimmed. */
export const passwordSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
export const nicknameSchema = v.pipe(v.string(), v.regex(/^[\p{L}\p{N} ]{0,40}$/u));
export const newPasswordSchema = v.pipe(v.string(), v.minLength(minPasswordLength), v.maxLength(200));

/** The answer to a captcha, where one was asked for: see captcha.ts. */
export const captchaAnswerFields = {
  captchaId: v.optional(text(64)),
  captcha: v.optional(text(32)),
};

/** Exactly four digits (spec 5 and 9). */
export const verificationCodeSchema = v.pipe(v.string(), v.regex(/^\d{4}$/));

/** How the one who signs in or up is found: an address, or a number with its area code. */
export const identityFields = {
  account: accountSchema,
  type: accountTypeSchema,
  areaCode: v.optional(text(8)),
};

/** What a link from the app or a box brought along; kept with the account, never acted upon. */
export const entrySchema = v.record(text(32), text(200));

/**
 * 3001 for a wrong pair, whether the account exists or not. After 10 failures in 15 minutes -3035 asks for a captcha,
 * after as many again 17 tells how long to wait; 7004 is for an account or an address that many guess at.
 */
export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/api/user/login/v1',
  body: v.strictObject({
    ...identityFields,
    password: passwordSchema,
    device: v.optional(deviceTokenSchema),
    ...captchaAnswerFields,
  }),
  result: userInfoSchema,
  errors: [3001, 17, 7004, 8, 32, 197, -3035],
});

/** Signs in by a code that was sent. 11 for a wrong one, with `triesLeft`; 10 or -3033 when there is none any more. */
export const codeLogin = endpoint({
  name: 'codeLogin',
  method: 'POST',
  path: '/api/user/code/login/v1',
  body: v.strictObject({ ...identityFields, code: verificationCodeSchema, device: v.optional(deviceTokenSchema) }),
  result: userInfoSchema,
  errors: [10, 11, -3033, 17, 8, 32, 197, 4598],
});

/**
 * Creates the account and signs in. Where the brand asks for a code (`login.signupCode`), it must fit, and 6 then tells
 * the owner of the address that there is an account already. A brand that asks for none tells it to anyone.
 */
export const signup = endpoint({
  name: 'signup',
  method: 'POST',
  path: '/api/user/signup/v1',
  body: v.strictObject({
    account: accountSchema,
    type: v.optional(accountTypeSchema, 'email'),
    areaCode: v.optional(text(8)),
    password: newPasswordSchema,
    code: v.optional(verificationCodeSchema),
    nickname: v.optional(nicknameSchema),
    agreePolicy: v.literal(true),
    language: languageSchema,
    entry: v.optional(entrySchema),
    ...captchaAnswerFields,
  }),
  result: userInfoSchema,
  errors: [6, 8, 32, 10, 11, -3033, 17, -3031, -3035, 4598],
});

/** What a code is for. It opens that, and nothing else. */
export const codeSceneSchema = v.picklist(['login', 'signup', 'reset']);
export type CodeScene = v.InferOutput<typeof codeSceneSchema>;

/**
 * Sends a code of four digits by mail or SMS, and answers the same whether the account exists or not. `waitSeconds`
 * until another can be asked for. -3031 too early or too often today, -3035 asks for a captcha, 4598 when this account
 * has had too many wrong codes in its life and only the e-mail link is left.
 */
export const sendVerificationCode = endpoint({
  name: 'sendVerificationCode',
  method: 'POST',
  path: '/api/user/sendVerificationCode/v1',
  body: v.strictObject({
    ...identityFields,
    scene: codeSceneSchema,
    language: languageSchema,
    ...captchaAnswerFields,
  }),
  result: v.object({ waitSeconds: v.number() }),
  errors: [8, 32, -3031, -3035, 4598],
});

/** Sets a new password by a code of the scene `reset`. Every session of the account ends. */
export const resetPasswd = endpoint({
  name: 'resetPasswd',
  method: 'POST',
  path: '/api/user/resetPasswd/v1',
  body: v.strictObject({ ...identityFields, code: verificationCodeSchema, password: newPasswordSchema }),
  result: emptySchema,
  errors: [10, 11, -3033, 17, 8, 32, 4598],
});

/** Whether the brand takes phone numbers, and of which countries (area codes without a plus). */
export const supportPhone = endpoint({
  name: 'supportPhone',
  method: 'GET',
  path: '/api/user/support/phone/v1',
  result: v.object({ supported: v.boolean(), areaCodes: v.array(text(8)) }),
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
