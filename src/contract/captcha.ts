import * as v from 'valibot';
import { identityFields } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, text, textSchema } from './fields.ts';

/**
 * Issues a proof-of-work captcha: the browser searches for the number whose hash is `challenge`, which takes seconds
 * and needs no input (WCAG 2.2, 3.3.8). A solved one, or an answer that `siteVerify` accepted, is a ticket
 * (`captchaId`, `captcha`), valid once for its account; proof of work also for its network only. A phone with a
 * handed-over checkout ([Note: Hand-over]) gets a ticket for its customer, of whom it has only a masked name.
 * `wrongCaptcha` with `way: 'work'` accepts only proof of work: its cost grows with the number of attempts, so that no
 * customer is locked out.
 */
export const createRandCode = endpoint({
  name: 'createRandCode',
  method: 'POST',
  path: '/api/user/createRandCode/v1',
  access: 'optional',
  // pages of previous versions request a picture; they accept proof of work instead
  body: v.strictObject({ kind: v.picklist(['picture', 'work']), ...identityFields }),
  result: v.object({
    kind: v.literal('work'),
    captchaId: text(64),
    salt: v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/)),
    /** SHA-256, hex, of the salt followed by the number in decimal */
    challenge: v.pipe(textSchema, v.regex(/^[0-9a-f]{64}$/)),
    /** upper bound of the number; it grows with the number of requests */
    max: v.pipe(v.number(), v.integer(), v.maxValue(5_000_000)),
    /** epoch milliseconds */
    expiresAt: v.number(),
  }),
  errors: ['emailFormat', 'phoneFormat'],
});

/**
 * The site key of the script captcha, base64, and the URL of the frame document that runs it; both empty if the brand
 * has none. Only the frame document contains the provider's address.
 */
export const siteKey = endpoint({
  name: 'siteKey',
  method: 'GET',
  path: '/api/user/site/key',
  result: v.object({
    key: v.pipe(textSchema, v.regex(/^[A-Za-z0-9+/]{0,200}=*$/)),
    frame: v.union([
      v.literal(''),
      ownPathSchema,
      v.pipe(textSchema, v.regex(/^https?:\/\/[^/?#@\s]+\/captcha\/frame$/)),
    ]),
  }),
});

/** A decoded site key; other values are ignored. */
export const siteKeyPattern = /^[\w-]{10,100}$/;
export const siteKeySchema = v.pipe(textSchema, v.regex(siteKeyPattern));

/**
 * Messages from the captcha frame to the page: script loaded or failed, the frame's height (CSS pixels), and the
 * provider's answer. The page accepts them only from its own frame.
 */
export const captchaMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('failed') }),
  v.object({ type: v.literal('size'), height: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)) }),
  v.object({ type: v.literal('token'), token: v.pipe(textSchema, v.minLength(1), v.maxLength(4096)) }),
]);
export type CaptchaMessage = v.InferOutput<typeof captchaMessageSchema>;

/**
 * Exchanges the provider's answer for a ticket. `wrongCaptcha` if the provider does not confirm it, `configError` if no
 * provider is configured.
 */
export const siteVerify = endpoint({
  name: 'siteVerify',
  method: 'POST',
  path: '/api/user/site/verify',
  access: 'optional',
  body: v.strictObject({
    token: v.pipe(textSchema, v.minLength(1), v.maxLength(4096)),
    language: languageSchema,
    ...identityFields,
  }),
  result: v.object({ captchaId: text(64), captcha: text(32) }),
  errors: ['emailFormat', 'phoneFormat', 'tooFrequent', 'wrongCaptcha', 'configError', 'serviceBusy'],
});
