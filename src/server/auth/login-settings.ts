import * as v from 'valibot';
import { list, origin, seconds } from '#server/runtime/service-url.ts';

/** Login. Single sign-on, Google, captcha and push services. */
export const loginSettings = {
  /** Seconds for which a single sign-on token of a link is valid. */
  SSO_APP_SECONDS: seconds(60),
  /** Seconds for which a single sign-on token of a QR code is valid. */
  SSO_QR_SECONDS: seconds(600),
  /** The OpenID Connect client at Google. Without it, the sandbox Google is used where the sandbox is on. */
  GOOGLE_CLIENT_ID: v.optional(v.pipe(v.string(), v.minLength(10))),
  /** The secret of that client. */
  GOOGLE_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.minLength(10))),
  /** The site key of reCAPTCHA, which also needs `CAPTCHA_ORIGIN`. Without it the captcha is a proof of work only. */
  RECAPTCHA_SITE_KEY: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,100}$/))),
  /** The secret key of reCAPTCHA. */
  RECAPTCHA_SECRET: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,100}$/))),
  /** Another origin of this server, without a brand, on which the captcha's third-party script runs. */
  CAPTCHA_ORIGIN: v.optional(origin),
  /** Host names of push services beside those of Chrome, Firefox, Safari and Edge, separated by commas. */
  PUSH_HOSTS: list,
};

export const googleNames = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const;
export const recaptchaNames = ['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET'] as const;
