import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { text, textSchema } from './fields.ts';
import { normalizeToken } from './normalize-text.ts';
import { maxPasswordLength, minPasswordLength } from './limits.ts';
import { accountTypeSchema, deviceTokenSchema, userInfoSchema } from './user.ts';

/**
 * An email address or phone number of 3 to 160 characters, without spaces and invisible characters. The brand's rules
 * decide whether it is valid.
 */
export const accountSchema = v.pipe(textSchema, v.transform(normalizeToken), v.minLength(3), v.maxLength(160));

/**
 * The form of a password that is hashed: keyboards type an accented letter as one or two characters (Unicode NFC, RFC
 * 8265).
 */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/**
 * At most 200 characters. Neither trimmed nor normalized, because an older hash may be of another Unicode form of the same
 * letters.
 */
export const passwordSchema = v.pipe(
  textSchema,
  v.minLength(1),
  v.check((password) => normalizePassword(password).length <= maxPasswordLength),
);
/** 6 to 200 characters in Unicode NFC; others are refused with `invalidRequest` and the name of the field. */
export const newPasswordSchema = v.pipe(
  textSchema,
  v.transform(normalizePassword),
  v.minLength(minPasswordLength),
  v.maxLength(maxPasswordLength),
);

/** The captcha answer, if one was required: see captcha.ts. */
export const captchaAnswerFields = {
  captchaId: v.optional(text(64)),
  captcha: v.optional(text(32)),
};

/** Identifies the account: an email address, or a phone number with its area code. */
export const identityFields = {
  account: accountSchema,
  type: accountTypeSchema,
  areaCode: v.optional(text(8)),
};

/**
 * `invalidCredentials` if the pair is wrong, whether or not the account exists. After 10 failures in 15 minutes
 * `wrongCaptcha` requires a captcha, after 10 more, or from a network with many failures, a proof of work. A device
 * that logged in before has its own limit: after 20 failures, `tooManyFailures` with the time to wait.
 */
export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/api/user/login/v1',
  opensSession: true,
  body: v.strictObject({
    ...identityFields,
    password: passwordSchema,
    device: v.optional(deviceTokenSchema),
    ...captchaAnswerFields,
  }),
  result: userInfoSchema,
  errors: [
    'invalidCredentials',
    'tooManyFailures',
    'emailFormat',
    'phoneFormat',
    'accountTypeRefused',
    'loginNotAllowed',
    'wrongCaptcha',
  ],
});

/**
 * Whether the brand accepts phone numbers, and from which countries (area codes without a plus). `sms`: whether SMS can
 * be sent; without it a phone account logs in by password, and numbers cannot be registered, added or sent a code.
 */
export const supportPhone = endpoint({
  name: 'supportPhone',
  method: 'GET',
  path: '/api/user/support/phone/v1',
  result: v.object({ supported: v.boolean(), sms: v.boolean(), areaCodes: v.array(text(8)) }),
});
