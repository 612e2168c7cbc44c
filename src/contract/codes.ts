import * as v from 'valibot';
import { captchaAnswerFields, identityFields, newPasswordSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, textSchema } from './fields.ts';
import { typedToken } from './typed-text.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/** Exactly four digits. */
export const verificationCodeSchema = v.pipe(textSchema, v.transform(typedToken), v.regex(/^\d{4}$/));

/** Names one request for a code. Without it, the newest code that was asked for from the same network is meant. */
export const codeRequestSchema = v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/));
const codeFields = { code: verificationCodeSchema, request: v.optional(codeRequestSchema) };

/** What a code is for. It opens that, and nothing else. */
export const codeSceneSchema = v.picklist(['login', 'signup', 'reset']);
export type CodeScene = v.InferOutput<typeof codeSceneSchema>;
/** The last two cannot be asked for by just anyone: see `sendConfirmCode` and `sendContactCode`. */
export type CodePurpose = CodeScene | 'confirm' | 'contact';

/**
 * Sends a code of four digits by mail or SMS, and answers the same whether the account exists or not. `waitSeconds` until
 * another can be asked for; `request` goes with the code when it is used, because it is the asker's alone. `tooFrequent` too
 * early, `wrongCaptcha` asks for a captcha, or for work from the fourth of a day and purpose on, `operationUnsupported` when
 * this account has had too many wrong codes in its life and only the e-mail link is left. Where codes cannot be tried any
 * more today, the mail brings a link instead.
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

/** Logs in with a code. Errors: `wrongCode` with `triesLeft`; `codeExpired` or `codeNotFound` if no valid code exists. */
export const codeLogin = endpoint({
  name: 'codeLogin',
  method: 'POST',
  path: '/api/user/code/login/v1',
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

/** Sets a new password by a code of the scene `reset`. Every session of the account ends. */
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
