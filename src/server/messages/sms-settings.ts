import * as v from 'valibot';

/** Who sends SMS: an account at Twilio, or whoever takes them at an address of the operator's. */
export const smsSettings = {
  TWILIO_ACCOUNT_SID: v.optional(v.pipe(v.string(), v.regex(/^AC[0-9a-fA-F]{32}$/))),
  TWILIO_AUTH_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16))),
  /** a number of Twilio's, a name that the countries of the customers allow, or a messaging service that has some */
  TWILIO_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{2,11})$/, 'must be a sender of Twilio'),
    ),
  ),
  /** an address in place of Twilio's, for a stand-in */
  TWILIO_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
  SMS_WEBHOOK_URL: v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//))),
  SMS_WEBHOOK_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
  /** codes by SMS of one brand in a day (messages/sms-budget.ts) */
  SMS_PER_DAY: v.pipe(
    v.optional(v.string(), '2000'),
    v.regex(/^\d{1,7}$/, 'must be a number of messages'),
    v.transform(Number),
    v.minValue(4, 'must be four or more'),
  ),
};

export const twilioNames = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;
export const smsWebhookNames = ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_SECRET'] as const;
