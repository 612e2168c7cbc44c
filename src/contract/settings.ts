import * as v from 'valibot';
import { captchaAnswerFields, identityFields } from './auth.ts';
import { codeRequestSchema, verificationCodeSchema } from './codes.ts';
import { confirmationSchema } from './confirm-owner.ts';
import { mailTokenSchema } from './email.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, languageSchema, text } from './fields.ts';
import { nicknameSchema } from './signup.ts';
import { accountTypeSchema, deviceTokenSchema } from './user.ts';

/** What the customer has set, and what they sign in by. */
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
    /** where mail goes, and one of the names to sign in by; null for a number without one */
    email: v.nullable(text(160)),
    emailVerified: v.boolean(),
    /** the account's own name is proved; before that nothing is added to it: 9 */
    nameVerified: v.optional(v.boolean(), true),
    /** digits with the area code; null for an address without one */
    phone: v.nullable(text(40)),
    /** the number can be removed: the address lets its owner in without it */
    phoneRemovable: v.optional(v.boolean(), false),
    hasPassword: v.boolean(),
    /** of mails and SMS */
    language: languageSchema,
    unsubscribeEmail: v.boolean(),
  }),
  reads: true,
});

/** An empty one takes the nickname away. */
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

/** The language of mails and SMS; one that the brand does not speak becomes its default. */
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
 * Whether offers come by mail. It is a GET by the specification, and writes all the same: the same twice is the same, and it
 * wants the header of a customer, which no link or picture of another site can send. `operationUnsupported` where the brand
 * sends no offers; saying no always works.
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
 * The same by the link of such a mail, without a session ([Note: Offers]). It works as often as it is tapped, so that a
 * mail of last year still ends them. `linkGone` for a token that is none.
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
 * Sends a code to an address or a number that shall be the customer's. The answer is the same whether it is somebody
 * else's already. `requestExpired` without a good confirmation.
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
  /** in the place of the one before: it names the account */
  deviceToken: v.optional(deviceTokenSchema),
});

/**
 * Makes the address or the number the customer's: mail goes there, and one signs in by it. Who signed in by another of
 * its kind signs in by this one from now on. `accountInUse` where somebody else has it, which only its reader learns.
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
 * Takes the number out of the account: nobody signs in by it, and nothing is sent there any more. The address is told, by a
 * mail that undoes it. `operationUnsupported` where the address is no way in: there is none, or nothing proves it. Who
 * signed in by the number signs in by the address from then on; `accountInUse` where that is somebody else's account.
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
 * Undoes a change of address or number by the link that went to the address before: all is as it was, everybody is
 * signed out, and a mail brings a link for a new password. `accountInUse` where somebody else has the old name by now.
 */
export const restoreContact = endpoint({
  name: 'restoreContact',
  method: 'POST',
  path: '/api/site/email/restore/v1',
  body: v.strictObject({ token: mailTokenSchema }),
  result: emptySchema,
  errors: ['linkGone', 'accountInUse', 'tooFrequent'],
});
