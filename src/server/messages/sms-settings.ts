import * as v from 'valibot';

/** SMS. Twilio, or a webhook of your own. Without either of them no SMS is sent. */
export const smsSettings = {
  /** The account SID at Twilio. */
  TWILIO_ACCOUNT_SID: v.optional(v.pipe(v.string(), v.regex(/^AC[0-9a-fA-F]{32}$/))),
  /** The auth token of that account. */
  TWILIO_AUTH_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16))),
  /** The sender: a Twilio number, an alphanumeric sender ID, or a messaging service (`MG…`). */
  TWILIO_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{2,11})$/, 'must be a sender of Twilio'),
    ),
  ),
  /** The origin of a server that replaces Twilio in tests. */
  TWILIO_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
  /** The address to which SMS are posted as JSON, instead of Twilio. */
  SMS_WEBHOOK_URL: v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//))),
  /** The secret that signs these requests: 32 characters or more. */
  SMS_WEBHOOK_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have 32 characters or more'))),
  /**
   * SMS of one brand in a day. A quarter may be sent in an hour, and a tenth to each country other than
   * `login.areaCode`; at most half of each share goes to numbers that no customer has verified. Beyond a share, codes are
   * refused and other SMS are not sent. One network may request 60 codes in an hour and 200 in a day.
   */
  SMS_PER_DAY: v.pipe(
    v.optional(v.string(), '2000'),
    v.regex(/^\d{1,7}$/, 'must be a number of messages'),
    v.transform(Number),
    v.minValue(4, 'must be four or more'),
  ),
};

export const twilioNames = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;
export const smsWebhookNames = ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_SECRET'] as const;
