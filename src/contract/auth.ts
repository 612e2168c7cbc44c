import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { text, textSchema } from './fields.ts';
import { typedToken } from './typed-text.ts';
import { maxPasswordLength, minPasswordLength } from './limits.ts';
import { accountTypeSchema, deviceTokenSchema, userInfoSchema } from './user.ts';

/** An address or number as typed, without spaces and invisible characters. Whether it looks right is for the brand's rules to say. */
export const accountSchema = v.pipe(textSchema, v.transform(typedToken), v.minLength(3), v.maxLength(160));

/** A password as it is hashed: keyboards write an accented letter as one character or as two (Unicode NFC, RFC 8265). */
export const composedPassword = (password: string): string => password.normalize('NFC');

/** Never trimmed, and as typed: an older hash may be of another spelling of the same letters. */
export const passwordSchema = v.pipe(
  textSchema,
  v.minLength(1),
  v.check((password) => composedPassword(password).length <= maxPasswordLength),
);
export const newPasswordSchema = v.pipe(
  textSchema,
  v.transform(composedPassword),
  v.minLength(minPasswordLength),
  v.maxLength(maxPasswordLength),
);

/** The answer to a captcha, where one was asked for: see captcha.ts. */
export const captchaAnswerFields = {
  captchaId: v.optional(text(64)),
  captcha: v.optional(text(32)),
};

/** How the one who signs in or up is found: an address, or a number with its area code. */
export const identityFields = {
  account: accountSchema,
  type: accountTypeSchema,
  areaCode: v.optional(text(8)),
};

/**
 * `invalidCredentials` for a wrong pair, whether the account exists or not. After 10 failures in 15 minutes `wrongCaptcha`
 * asks for a captcha, after as many again for work, as it does where many guess; a device that signed in before has tries of
 * its own, and `tooManyFailures` tells how long it waits after twenty.
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
 * Whether the brand takes phone numbers, and of which countries (area codes without a plus). `sms`: whether they can be
 * written to; without it a number logs in by its password, and cannot be signed up with, added or sent a code.
 */
export const supportPhone = endpoint({
  name: 'supportPhone',
  method: 'GET',
  path: '/api/user/support/phone/v1',
  result: v.object({ supported: v.boolean(), sms: v.boolean(), areaCodes: v.array(text(8)) }),
});
