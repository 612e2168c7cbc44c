import * as v from 'valibot';
import { captchaAnswerFields, identityFields, newPasswordSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, textSchema } from './fields.ts';
import { normalizeToken } from './normalize-text.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/** Exactly four digits. */
export const verificationCodeSchema = v.pipe(textSchema, v.transform(normalizeToken), v.regex(/^\d{4}$/));

/** Identifies one code request. Without it, the newest code requested from the same network is used. */
export const codeRequestSchema = v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/));
const codeFields = { code: verificationCodeSchema, request: v.optional(codeRequestSchema) };

/** The only purpose a code is valid for. */
export const codeSceneSchema = v.picklist(['login', 'signup', 'reset']);
export type CodeScene = v.InferOutput<typeof codeSceneSchema>;
/** `confirm` and `contact` require a session: see `sendConfirmCode` and `sendContactCode`. */
export type CodePurpose = CodeScene | 'confirm' | 'contact';

/**
 * Sends a four-digit code by email or SMS; the answer is the same whether or not the account exists. `waitSeconds`
 * until the next code; `request`, known only to the caller, is sent with the code. `tooFrequent` before that time.
 * `wrongCaptcha` requires a captcha, or proof of work from the fourth code per day and purpose. `operationUnsupported`
 * after too many wrong codes in the life of the account: only the email link remains. After the day's last attempt, the
 * email contains a link instead.
 */
export const sendVerificationCode = endpoint({
  name: 'sendVerificationCode',
  method: 'POST',
  path: '/api/user/sendVerificationCode/v1',
  body: v.strictObject({
    ...identityFields,
    scene: codeSceneSchema,
    language: languageSchema,
    device: v.optional(deviceTokenSchema),
    ...captchaAnswerFields,
  }),
  result: v.object({ waitSeconds: v.number(), request: codeRequestSchema }),
  errors: [
    'emailFormat',
    'phoneFormat',
    'areaCodeEmpty',
    'countryUnsupported',
    'tooFrequent',
    'wrongCaptcha',
    'operationUnsupported',
  ],
});

/** Logs in with a code. `wrongCode` with `triesLeft`; `codeExpired` or `codeNotFound` if no valid code exists. */
export const codeLogin = endpoint({
  name: 'codeLogin',
  method: 'POST',
  path: '/api/user/code/login/v1',
  opensSession: true,
  body: v.strictObject({ ...identityFields, ...codeFields, device: v.optional(deviceTokenSchema) }),
  result: userInfoSchema,
  errors: [
    'codeExpired',
    'wrongCode',
    'codeNotFound',
    'tooManyFailures',
    'emailFormat',
    'phoneFormat',
    'accountTypeRefused',
    'loginNotAllowed',
    'operationUnsupported',
  ],
});

/** Sets a new password with a code of the scene `reset`. Every session of the account ends. */
export const resetPasswd = endpoint({
  name: 'resetPasswd',
  method: 'POST',
  path: '/api/user/resetPasswd/v1',
  body: v.strictObject({
    ...identityFields,
    ...codeFields,
    password: newPasswordSchema,
    device: v.optional(deviceTokenSchema),
  }),
  result: emptySchema,
  errors: [
    'codeExpired',
    'wrongCode',
    'codeNotFound',
    'tooManyFailures',
    'emailFormat',
    'phoneFormat',
    'operationUnsupported',
  ],
});
