import * as v from 'valibot';
import { captchaAnswerFields, newPasswordSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text, textSchema } from './fields.ts';
import { typedToken } from './typed-text.ts';
import { deviceTokenSchema } from './user.ts';

/**
 * [Note: Mail links] A link in a mail carries a token that works once and not for long. Opening the link does nothing
 * by itself, because programs that look for viruses open links, too: only the customer's tap calls one of these.
 */
export const mailTokenSchema = v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/));

const emailSchema = v.pipe(textSchema, v.transform(typedToken), v.minLength(3), v.maxLength(160));

/** Mails a link for a new password, if the address has an account. The answer is the same if it has none. */
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

/** Mails the link that confirms the address, if there is an account that needs it. The same answer for all. */
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

/** Whose password the token would reset, masked; it stays usable. `linkGone` when the link is used up or too old. */
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
 * Confirms the address. Doing it again with the same link is no error for an account that is confirmed. Without a session
 * of the account, the first confirmation ends everything that its creator could come back by ([Note: First proof] on the
 * server), the password too: then `passwordToken` sets a new one (`emailResetPassword`).
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

/** Binds the address to the account that asked for it. `emailBindingFailed` when another account has it by now. */
export const bindEmailConfirmed = endpoint({
  name: 'bindEmailConfirmed',
  method: 'POST',
  path: '/api/site/bindEmailConfirmed',
  body: v.strictObject({ token: mailTokenSchema }),
  result: v.object({ email: text(160) }),
  errors: ['linkGone', 'emailBindingFailed', 'tooFrequent'],
});

/**
 * Mails the reset link to the customer who is signed in, as an upgrade may ask for before a purchase (`resetPasswordFirst`).
 * The address must be the customer's own. It is a GET by the specification, and writes all the same.
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
