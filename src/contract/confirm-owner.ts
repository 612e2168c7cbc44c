import * as v from 'valibot';
import { passwordSchema } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, textSchema } from './fields.ts';
import { deviceTokenSchema } from './user.ts';

/**
 * [Note: Confirming the owner] What cannot be taken back, or would outlast a stolen session, asks for the password or a
 * code again. `confirmOwner` answers with a confirmation, which goes along with the call that it was asked for: good for
 * ten minutes, for one purpose, and for the session that asked. A call that got none, or one that is not good any more,
 * is refused with `requestExpired`, and the storefront asks again.
 */
export const confirmPurposeSchema = v.picklist(['passkey', 'data', 'deletion', 'contact']);
export type ConfirmPurpose = v.InferOutput<typeof confirmPurposeSchema>;

/** What `confirmOwner` answers: the field `confirmation` of the calls that need it. */
export const confirmationSchema = v.pipe(textSchema, v.regex(/^[\w.-]{40,200}$/));

/** By the password, or by a code of `sendConfirmCode`; `operationUnsupported` for an account without a password. */
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

/** Sends a code to the customer's own mailbox or number; `tooFrequent` where this session has asked too often. */
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
