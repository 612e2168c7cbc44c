import * as v from 'valibot';
import { accountSchema, captchaAnswerFields, newPasswordSchema } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, text, textSchema } from './fields.ts';
import { accountTypeSchema, userInfoSchema } from './user.ts';

export const nicknameSchema = v.pipe(textSchema, v.regex(/^[\p{L}\p{N} ]{0,40}$/u));

/** What a link from the app or a box brought along; kept with the account, never acted upon. */
export const entrySchema = v.record(text(32), text(200));

/** What `checkSignupCode` answers: it stands for the code at `signup`. */
export const signupProofSchema = v.pipe(textSchema, v.regex(/^[\w.-]{40,200}$/));

const newIdentity = {
  account: accountSchema,
  type: v.optional(accountTypeSchema, 'email'),
  areaCode: v.optional(text(8)),
};

/**
 * Tries the code of the scene `signup` before a password is asked for, as any other call that spends one. The proof that it
 * answers with is good for this account, once, until `expiresAt` (epoch milliseconds). `accountExists` tells the owner of the
 * address that there is an account already.
 */
export const checkSignupCode = endpoint({
  name: 'checkSignupCode',
  method: 'POST',
  path: '/api/user/signup/code/v1',
  body: v.strictObject({ ...newIdentity, code: verificationCodeSchema, request: v.optional(codeRequestSchema) }),
  result: v.object({ proof: signupProofSchema, expiresAt: v.number() }),
  errors: [
    'accountExists',
    'emailFormat',
    'phoneFormat',
    'areaCodeEmpty',
    'countryUnsupported',
    'codeExpired',
    'wrongCode',
    'codeNotFound',
    'tooManyFailures',
    'operationUnsupported',
  ],
});

/**
 * Creates the account and signs in. Where the brand asks for a code (`login.signupCode`), it must fit, or have been tried
 * before (`proof`), and `accountExists` then tells
 * the owner of the address that there is an account already. A brand that asks for none tells it to anyone.
 */
export const signup = endpoint({
  name: 'signup',
  method: 'POST',
  path: '/api/user/signup/v1',
  body: v.strictObject({
    ...newIdentity,
    password: newPasswordSchema,
    code: v.optional(verificationCodeSchema),
    request: v.optional(codeRequestSchema),
    /** in the place of the code; 10 where it is not good any more */
    proof: v.optional(signupProofSchema),
    nickname: v.optional(nicknameSchema),
    agreePolicy: v.literal(true),
    language: languageSchema,
    entry: v.optional(entrySchema),
    ...captchaAnswerFields,
  }),
  result: userInfoSchema,
  errors: [
    'accountExists',
    'emailFormat',
    'phoneFormat',
    'areaCodeEmpty',
    'countryUnsupported',
    'codeExpired',
    'wrongCode',
    'codeNotFound',
    'tooManyFailures',
    'wrongCaptcha',
    'operationUnsupported',
    'accountTypeRefused',
    'loginNotAllowed',
  ],
});
