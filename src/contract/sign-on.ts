import * as v from 'valibot';
import { entrySchema, nicknameSchema } from './signup.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, text, textSchema } from './fields.ts';
import { normalizeToken } from './normalize-text.ts';

/**
 * Logs in by the single-use token in a link of the app or a TV device, for its brand and account. `tokenMissing`,
 * `tokenExpired`, `tokenError` invalid or used, `unauthorized` no such customer, `invalidParameter` another account
 * than in the link, `tenantError` another brand, `accountTypeRefused` (`loginFailed` on a TV) an account that may not
 * log in.
 */
export const sso = endpoint({
  name: 'sso',
  method: 'POST',
  path: '/api/user/sso/v1',
  opensSession: true,
  body: v.strictObject({
    token: text(2048),
    accountId: v.optional(text(160)),
    loginId: v.optional(text(160)),
    device: v.optional(deviceTokenSchema),
  }),
  result: userInfoSchema,
  errors: [
    'tokenMissing',
    'tokenExpired',
    'tokenError',
    'unauthorized',
    'serviceBusy',
    'invalidParameter',
    'tenantError',
    'serverErrorReset',
    'accountTypeRefused',
    'loginFailed',
    'loginNotAllowed',
  ],
});

/** The target of "Continue with Google"; `clientId` is empty if the brand has no Google login. */
export const googleClient = endpoint({
  name: 'googleClient',
  method: 'GET',
  path: '/api/user/google/client/v1',
  result: v.object({
    clientId: text(200),
    /** where the browser requests an authorization code */
    authorizationEndpoint: v.union([v.literal(''), v.pipe(textSchema, v.url())]),
  }),
});

const codeVerifierSchema = v.pipe(textSchema, v.regex(/^[\w.~-]{43,128}$/));

/**
 * Completes the authorization code flow (RFC 6749 with PKCE, RFC 7636, and OpenID Connect Core). Logs in the customer
 * of the ID token; a new customer gets a ticket for `googleSignup`, because the terms must be accepted first.
 */
export const googleLogin = endpoint({
  name: 'googleLogin',
  method: 'POST',
  path: '/api/user/google/login/v1',
  opensSession: true,
  body: v.strictObject({
    code: v.pipe(textSchema, v.minLength(1), v.maxLength(2048)),
    codeVerifier: codeVerifierSchema,
    nonce: v.pipe(textSchema, v.regex(/^[\w-]{16,128}$/)),
    device: v.optional(deviceTokenSchema),
  }),
  result: v.variant('outcome', [
    v.object({ outcome: v.literal('signedIn'), user: userInfoSchema }),
    v.object({ outcome: v.literal('signup'), ticket: text(2048), email: text(160), name: text(60) }),
  ]),
  errors: ['loginFailedRefresh', 'configError', 'serviceBusy', 'accountTypeRefused', 'loginNotAllowed'],
});

/** Creates the account of a Google login that led to a sign-up, with the ticket of that answer. */
export const googleSignup = endpoint({
  name: 'googleSignup',
  method: 'POST',
  path: '/api/user/google/signup/v1',
  opensSession: true,
  body: v.strictObject({
    ticket: text(2048),
    nickname: v.optional(nicknameSchema),
    agreePolicy: v.literal(true),
    language: languageSchema,
    entry: v.optional(entrySchema),
  }),
  result: userInfoSchema,
  errors: ['accountExists', 'loginFailedRefresh', 'tooFrequent', 'accountTypeRefused', 'loginNotAllowed'],
});

/**
 * The user code of a device grant (RFC 8628): a TV device shows a QR whose link contains this short code instead of a
 * token. The device requests the codes at `/oauth/device_authorization` and polls `/oauth/token`; the phone queries the
 * code, shows the device, and confirms or refuses. The logged-in side passes its account to the other. The device's
 * name comes from the server's list, never from the device, and the customer compares a code from a link with the
 * screen first (5.4). Errors are `requestExpired` and `codeNotFound`, because those like `tokenExpired` would log out a
 * customer who mistyped a code.
 */
export const userCodeSchema = v.pipe(
  textSchema,
  v.transform((value) =>
    normalizeToken(value)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, ''),
  ),
  v.regex(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/),
  v.transform((value) => `${value.slice(0, 4)}-${value.slice(4)}`),
);

/** The TV device that shows this code, so that its owner recognises it before approving. */
export const deviceQuery = endpoint({
  name: 'deviceQuery',
  method: 'POST',
  path: '/api/user/device/query/v1',
  access: 'optional',
  body: v.strictObject({ userCode: userCodeSchema }),
  result: v.object({
    /** maker and model from the server's list; empty for an unknown device, whatever it calls itself */
    device: text(80),
    model: text(80),
    /** the device's account, masked; null if the device is not logged in */
    account: v.nullable(text(160)),
    /** whether that is the caller's account; two masked names may look alike */
    isOwn: v.boolean(),
    expiresAt: v.number(),
    /** the plan of the handed-over checkout ([Note: Hand-over]); absent if the code is for a login */
    plan: v.optional(text(80)),
  }),
  reads: true,
  errors: ['requestExpired', 'codeNotFound', 'tooFrequent'],
});

/**
 * Confirms or refuses the TV device. `invalidToken` if neither the device nor the caller is logged in. The device gets
 * a session of its own kind: it may watch and buy, and cannot make `ownerOnly` calls.
 */
export const deviceConfirm = endpoint({
  name: 'deviceConfirm',
  method: 'POST',
  path: '/api/user/device/confirm/v1',
  access: 'optional',
  ownerOnly: true,
  opensSession: true,
  body: v.strictObject({
    userCode: userCodeSchema,
    approve: v.boolean(),
    device: v.optional(deviceTokenSchema),
  }),
  result: v.object({ user: v.nullable(userInfoSchema) }),
  errors: [
    'requestExpired',
    'codeNotFound',
    'tooFrequent',
    'invalidToken',
    'loginNotAllowed',
    'unauthorized',
    'accountTypeRefused',
  ],
});
