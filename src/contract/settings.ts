import * as v from 'valibot';
import { captchaAnswerFields, identityFields } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { confirmationSchema } from './confirm-owner.ts';
import { mailTokenSchema } from './email.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text } from './fields.ts';
import { nicknameSchema } from './signup.ts';
import { accountTypeSchema, deviceTokenSchema } from './user.ts';

/** The customer's settings and login names. */
export const ownSettings = endpoint({
  name: 'ownSettings',
  method: 'POST',
  path: '/api/user/settings/v1',
  access: 'customer',
  body: v.strictObject({}),
  result: v.object({
    nickname: text(60),
    account: text(160),
    type: accountTypeSchema,
    /** receives email, and is a login name; null for a phone account without one */
    email: v.nullable(text(160)),
    emailVerified: v.boolean(),
    /** the account's original name is verified; before that no contact can be added: `notVerified` */
    nameVerified: v.optional(v.boolean(), true),
    /** digits with the area code; null for an email account without one */
    phone: v.nullable(text(40)),
    /** the number can be removed, because the customer can log in by email */
    phoneRemovable: v.optional(v.boolean(), false),
    hasPassword: v.boolean(),
    /** of emails and SMS */
    language: languageSchema,
    unsubscribeEmail: v.boolean(),
  }),
  reads: true,
});

/** An empty one removes the nickname. */
export const saveNickname = endpoint({
  name: 'saveNickname',
  method: 'POST',
  path: '/api/user/nickname/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ nickname: nicknameSchema }),
  result: v.object({ nickname: text(60) }),
  errors: ['unauthorized'],
});

/** The language of emails and SMS; one that the brand does not support becomes its default. */
export const saveLanguage = endpoint({
  name: 'saveLanguage',
  method: 'POST',
  path: '/api/user/language/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ language: languageSchema }),
  result: v.object({ language: languageSchema }),
  errors: ['unauthorized'],
});

/**
 * Turns marketing email on or off. The specification makes it a GET although it writes: it is idempotent, and requires
 * the Authorization header, which no cross-site link or image can send. `operationUnsupported` if the brand sends no
 * marketing email; turning it off always works.
 */
export const campaignSubscription = endpoint({
  name: 'campaignSubscription',
  method: 'GET',
  path: '/api/user/marketing/campaign/subscription',
  access: 'customer',
  ownerOnly: true,
  query: v.strictObject({ subscribeStatus: v.picklist(['true', 'false']) }),
  result: v.object({ unsubscribeEmail: v.boolean() }),
  reads: false,
  errors: ['operationUnsupported', 'unauthorized'],
});

/**
 * The same by the link of such an email, without a session. It can be used any number of times, so that an old email
 * still works. `linkGone` for an invalid token.
 */
export const offersByLink = endpoint({
  name: 'offersByLink',
  method: 'POST',
  path: '/api/site/email/offers/v1',
  body: v.strictObject({ token: mailTokenSchema, subscribe: v.boolean() }),
  result: v.object({ unsubscribeEmail: v.boolean(), email: text(160) }),
  errors: ['linkGone', 'operationUnsupported', 'tooFrequent'],
});

/**
 * Sends a code to the customer's new address or number. The answer is the same if another account uses it.
 * `requestExpired` without a valid confirmation.
 */
export const sendContactCode = endpoint({
  name: 'sendContactCode',
  method: 'POST',
  path: '/api/user/contact/code/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({
    ...identityFields,
    confirmation: confirmationSchema,
    language: languageSchema,
    ...captchaAnswerFields,
  }),
  result: v.object({ waitSeconds: v.number(), request: codeRequestSchema }),
  errors: [
    'notVerified',
    'requestExpired',
    'emailFormat',
    'phoneFormat',
    'tooFrequent',
    'wrongCaptcha',
    'operationUnsupported',
    'unauthorized',
  ],
});

const changedContactSchema = v.object({
  account: text(160),
  type: accountTypeSchema,
  /** replaces the previous one, because it contains the account */
  deviceToken: v.optional(deviceTokenSchema),
});

/**
 * Sets the customer's address or number as contact and login name, in place of another of the same type. `accountInUse`
 * if another account has it, which only the reader of the code learns.
 */
export const changeContact = endpoint({
  name: 'changeContact',
  method: 'POST',
  path: '/api/user/contact/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({
    ...identityFields,
    confirmation: confirmationSchema,
    code: verificationCodeSchema,
    request: codeRequestSchema,
  }),
  result: changedContactSchema,
  errors: [
    'notVerified',
    'requestExpired',
    'emailFormat',
    'phoneFormat',
    'codeExpired',
    'wrongCode',
    'codeNotFound',
    'tooManyFailures',
    'operationUnsupported',
    'accountInUse',
    'unauthorized',
  ],
});

/**
 * Removes the number as login name and contact. The email address gets a notice with an undo link.
 * `operationUnsupported` if the address cannot be used to log in: it is missing or unverified. An account named by the
 * number is then named by the address; `accountInUse` if another account has that.
 */
export const removePhone = endpoint({
  name: 'removePhone',
  method: 'POST',
  path: '/api/user/contact/phone/remove/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ confirmation: confirmationSchema }),
  result: changedContactSchema,
  errors: ['requestExpired', 'operationUnsupported', 'accountInUse', 'unauthorized'],
});

/**
 * Undoes a change of address or number by the link sent to the previous address: restores it, ends all sessions, and
 * emails a link for a new password. `accountInUse` if another account has the old name by then.
 */
export const restoreContact = endpoint({
  name: 'restoreContact',
  method: 'POST',
  path: '/api/site/email/restore/v1',
  body: v.strictObject({ token: mailTokenSchema }),
  result: emptySchema,
  errors: ['linkGone', 'accountInUse', 'tooFrequent'],
});
