import * as v from 'valibot';
import { accountSchema, captchaAnswerFields, newPasswordSchema } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, text, textSchema } from './fields.ts';
import { accountTypeSchema, userInfoSchema } from './user.ts';

export const nicknameSchema = v.pipe(textSchema, v.regex(/^[\p{L}\p{N} ]{0,40}$/u));

/** Parameters of a link from the app or a TV device; stored with the account, never evaluated. */
export const entrySchema = v.record(text(32), text(200));

/** The result of `checkSignupCode`: replaces the code at `signup`. */
export const signupProofSchema = v.pipe(textSchema, v.regex(/^[\w.-]{40,200}$/));

const newIdentity = {
  account: accountSchema,
  type: v.optional(accountTypeSchema, 'email'),
  areaCode: v.optional(text(8)),
};

/**
 * Verifies a code of the scene `signup` before the password is chosen; this consumes the code. The proof is valid for
 * this account, once, until `expiresAt` (epoch milliseconds). `accountExists` if the owner of the address already has
 * an account.
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
 * Creates the account and logs in. If the brand requires a code (`login.signupCode`), it must match, or have been
 * verified before (`proof`); `accountExists` is then revealed only to the owner of the address. Without codes it is
 * revealed to everyone.
 */
export const signup = endpoint({
  name: 'signup',
  method: 'POST',
  path: '/api/user/signup/v1',
  opensSession: true,
  body: v.strictObject({
    ...newIdentity,
    password: newPasswordSchema,
    code: v.optional(verificationCodeSchema),
    request: v.optional(codeRequestSchema),
    /** in place of the code; `codeExpired` if it is no longer valid */
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
