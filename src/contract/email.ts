import * as v from 'valibot';
import { captchaAnswerFields, newPasswordSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text, textSchema } from './fields.ts';
import { normalizeToken } from './normalize-text.ts';
import { deviceTokenSchema } from './user.ts';

/**
 * The token of a link in an email: short-lived and valid once. Opening the link has no effect, because virus scanners
 * open links too: only the customer's tap calls one of these endpoints.
 */
export const mailTokenSchema = v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/));

const emailSchema = v.pipe(textSchema, v.transform(normalizeToken), v.minLength(3), v.maxLength(160));

/** Emails a password reset link if the address has an account. The answer is the same if it has none. */
export const resetPasswordByEmail = endpoint({
  name: 'resetPasswordByEmail',
  method: 'POST',
  path: '/api/site/resetPasswordByEmail',
  body: v.strictObject({
    email: emailSchema,
    language: languageSchema,
    device: v.optional(deviceTokenSchema),
    ...captchaAnswerFields,
  }),
  result: v.object({ waitSeconds: v.number() }),
  errors: ['emailFormat', 'tooFrequent', 'wrongCaptcha'],
});

/** Emails the confirmation link if an account needs it. The answer is always the same. */
export const resendConfirmation = endpoint({
  name: 'resendConfirmation',
  method: 'POST',
  path: '/api/site/resendConfirmation',
  body: v.strictObject({
    email: emailSchema,
    language: languageSchema,
    device: v.optional(deviceTokenSchema),
    ...captchaAnswerFields,
  }),
  result: v.object({ waitSeconds: v.number() }),
  errors: ['emailFormat', 'tooFrequent', 'wrongCaptcha'],
});

/**
 * The masked address whose password the token resets; the token stays valid. `linkGone` if the link was used or is too
 * old.
 */
export const obtainResetPasswordEmail = endpoint({
  name: 'obtainResetPasswordEmail',
  method: 'POST',
  path: '/api/site/obtain/resetPassword/email',
  body: v.strictObject({ token: mailTokenSchema }),
  result: v.object({ email: text(160), expiresAt: v.number() }),
  reads: true,
  errors: ['linkGone', 'tooFrequent'],
});

/** Sets the new password and ends every session of the account. */
export const emailResetPassword = endpoint({
  name: 'emailResetPassword',
  method: 'POST',
  path: '/api/site/email/resetPassword',
  body: v.strictObject({ token: mailTokenSchema, password: newPasswordSchema }),
  result: emptySchema,
  errors: ['linkGone', 'resetPasswordFailed', 'tooFrequent'],
});

/**
 * Confirms the address. Succeeds again with the same link. Without a session of the account, the first confirmation
 * ends all access that the account's creator may have, the password included, because the creator may not own the
 * address: then `passwordToken` sets a new one (`emailResetPassword`).
 */
export const activeUser = endpoint({
  name: 'activeUser',
  method: 'POST',
  path: '/api/site/active/user',
  access: 'optional',
  body: v.strictObject({ token: mailTokenSchema }),
  result: v.object({ email: text(160), passwordToken: v.optional(mailTokenSchema) }),
  errors: ['linkGone', 'activationFailed', 'tooFrequent'],
});

/** Binds the address to the account that requested it. `emailBindingFailed` if another account has it by then. */
export const bindEmailConfirmed = endpoint({
  name: 'bindEmailConfirmed',
  method: 'POST',
  path: '/api/site/bindEmailConfirmed',
  body: v.strictObject({ token: mailTokenSchema }),
  result: v.object({ email: text(160) }),
  errors: ['linkGone', 'emailBindingFailed', 'tooFrequent'],
});

/**
 * Emails the reset link to the logged-in customer, as an upgrade may require before a purchase (`resetPasswordFirst`).
 * The address must be the customer's own. The specification makes it a GET although it writes.
 */
export const sendResetPasswordEmail = endpoint({
  name: 'sendResetPasswordEmail',
  method: 'GET',
  path: '/api/site/send/resetPasswordEmail',
  access: 'customer',
  ownerOnly: true,
  query: v.strictObject({ email: emailSchema }),
  result: v.object({ waitSeconds: v.number() }),
  reads: false,
  errors: ['unknownAccount', 'tooFrequent', 'unauthorized'],
});
