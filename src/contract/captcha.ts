import * as v from 'valibot';
import { identityFields } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, ownPathSchema, text, textSchema } from './fields.ts';

/**
 * [Note: Captcha] Two methods for the same ticket, `{ captchaId, captcha }`, which a call then carries once:
 *
 * - proof of work: the device searches the number whose hash is `challenge`. That takes it some seconds, and the customer
 *   does nothing (WCAG 2.2, 3.3.8: no test of what somebody can see or remember);
 * - the script of a provider, whose answer `siteVerify` turns into a ticket.
 *
 * A ticket is valid for the account it was requested for, and proof of work for the network only, too. A phone that was
 * handed a checkout ([Note: Hand-over]) gets one for its customer, of whom it knows a masked name. Where `wrongCaptcha`
 * comes with `way: 'work'`, proof of work is the only method: its price grows with the number of tries, and nobody is locked
 * out.
 */
export const createRandCode = endpoint({
  name: 'createRandCode',
  method: 'POST',
  path: '/api/user/createRandCode/v1',
  access: 'optional',
  // pages of versions before request a picture, and accept proof of work instead
  body: v.strictObject({ kind: v.picklist(['picture', 'work']), ...identityFields }),
  result: v.object({
    kind: v.literal('work'),
    captchaId: text(64),
    salt: v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/)),
    /** SHA-256, hex, of the salt followed by the number in decimal */
    challenge: v.pipe(textSchema, v.regex(/^[0-9a-f]{64}$/)),
    /** the number is between 0 and this, which grows with the number of requests */
    max: v.pipe(v.number(), v.integer(), v.maxValue(5_000_000)),
    /** epoch milliseconds */
    expiresAt: v.number(),
  }),
  errors: ['emailFormat', 'phoneFormat'],
});

/**
 * The site key of the script captcha, base64, and the framed document that runs it; both empty where the brand has
 * none. The frame's document alone knows the provider's address.
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

/** What a decoded site key may look like; anything else is no key. */
export const siteKeyPattern = /^[\w-]{10,100}$/;
export const siteKeySchema = v.pipe(textSchema, v.regex(siteKeyPattern));

/**
 * What the framed document tells the page that holds it: its script is there, or did not come, how high it wants to be
 * (CSS pixels), and what the provider answered. The page believes it from its own frame only.
 */
export const captchaMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('failed') }),
  v.object({ type: v.literal('size'), height: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)) }),
  v.object({ type: v.literal('token'), token: v.pipe(textSchema, v.minLength(1), v.maxLength(4096)) }),
]);
export type CaptchaMessage = v.InferOutput<typeof captchaMessageSchema>;

/**
 * Turns the provider's answer into a ticket. `wrongCaptcha` when the provider does not stand by it, `configError` when there
 * is none.
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
