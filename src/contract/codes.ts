import * as v from 'valibot';
import { captchaAnswerFields, identityFields, newPasswordSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, textSchema } from './fields.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/** Exactly four digits (spec 5 and 9). */
export const verificationCodeSchema = v.pipe(textSchema, v.regex(/^\d{4}$/));

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

/** Signs in by a code that was sent. 11 for a wrong one, with `triesLeft`; 10 or -3033 when there is none any more. */
export const codeLogin = endpoint({
  name: 'codeLogin',
  method: 'POST',
  path: '/api/user/code/login/v1',
  body: v.strictObject({ ...identityFields, code: verificationCodeSchema, device: v.optional(deviceTokenSchema) }),
  result: userInfoSchema,
  errors: [10, 11, -3033, 17, 8, 32, 197, 203, 4598],
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
