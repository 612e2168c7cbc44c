import * as v from 'valibot';
import { accountSchema, captchaAnswerFields, newPasswordSchema } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, text, textSchema } from './fields.ts';
import { accountTypeSchema, userInfoSchema } from './user.ts';

export const nicknameSchema = v.pipe(textSchema, v.regex(/^[\p{L}\p{N} ]{0,40}$/u));

/** What a link from the app or a box brought along; kept with the account, never acted upon. */
export const entrySchema = v.record(text(32), text(200));

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
    request: v.optional(codeRequestSchema),
    nickname: v.optional(nicknameSchema),
    agreePolicy: v.literal(true),
    language: languageSchema,
    entry: v.optional(entrySchema),
    ...captchaAnswerFields,
  }),
  result: userInfoSchema,
  errors: [6, 8, 32, 10, 11, -3033, 17, -3035, 4598],
});
