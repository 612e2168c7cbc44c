import * as v from 'valibot';
import { passwordSchema } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, textSchema } from './fields.ts';
import { deviceTokenSchema } from './user.ts';

/**
 * Actions that cannot be undone, or have effects beyond a stolen session, require the password or a code again.
 * `confirmOwner` returns a confirmation that is sent with the action: valid for ten minutes, one purpose and the same
 * session. Without a valid one the action is refused with `requestExpired`, and the storefront requests a new
 * confirmation.
 */
const confirmPurposeSchema = v.picklist(['passkey', 'data', 'deletion', 'contact']);
export type ConfirmPurpose = v.InferOutput<typeof confirmPurposeSchema>;

/** The result of `confirmOwner`: the field `confirmation` of the calls that require it. */
export const confirmationSchema = v.pipe(textSchema, v.regex(/^[\w.-]{40,200}$/));

/** By password, or by a code of `sendConfirmCode`; `operationUnsupported` for an account without a password. */
export const confirmOwner = endpoint({
  name: 'confirmOwner',
  method: 'POST',
  path: '/api/user/confirm/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.union([
    v.strictObject({ purpose: confirmPurposeSchema, password: passwordSchema }),
    v.strictObject({
      purpose: confirmPurposeSchema,
      code: verificationCodeSchema,
      request: codeRequestSchema,
      device: v.optional(deviceTokenSchema),
    }),
  ]),
  result: v.object({ confirmation: confirmationSchema, expiresAt: v.number() }),
  errors: [
    'wrongPassword',
    'codeExpired',
    'wrongCode',
    'tooManyFailures',
    'codeNotFound',
    'operationUnsupported',
    'unauthorized',
  ],
});

/** Sends a code to the customer's own address or number; `tooFrequent` if this session has requested too many. */
export const sendConfirmCode = endpoint({
  name: 'sendConfirmCode',
  method: 'POST',
  path: '/api/user/confirm/code/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ language: languageSchema, device: v.optional(deviceTokenSchema) }),
  result: v.object({ waitSeconds: v.number(), request: codeRequestSchema }),
  errors: ['tooFrequent', 'operationUnsupported', 'unauthorized'],
});
