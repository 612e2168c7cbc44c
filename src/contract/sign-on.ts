import * as v from 'valibot';
import { entrySchema, nicknameSchema } from './signup.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';
import { endpoint } from './endpoint.ts';
import { languageSchema, text, textSchema } from './fields.ts';
import { typedToken } from './typed-text.ts';

/**
 * Signs in by the token that the app or a box put into a link: once, for the brand and the account it was made for.
 * `tokenMissing` no token, `tokenExpired` too old, `tokenError` broken or used, `unauthorized` no such customer here,
 * `invalidParameter` it belongs to another account than the link says, `tenantError` another brand, `accountTypeRefused`
 * (`loginFailed` on a TV) an account that may not log in.
 */
export const sso = endpoint({
  name: 'sso',
  method: 'POST',
  path: '/api/user/sso/v1',
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

/** Where "Continue with Google" leads; `clientId` is empty where the brand has no Google. */
export const googleClient = endpoint({
  name: 'googleClient',
  method: 'GET',
  path: '/api/user/google/client/v1',
  result: v.object({
    clientId: text(200),
    /** where the browser goes to ask for a code */
    authorizationEndpoint: v.union([v.literal(''), v.pipe(textSchema, v.url())]),
  }),
});

const codeVerifierSchema = v.pipe(textSchema, v.regex(/^[\w.~-]{43,128}$/));

/**
 * Ends the authorization code flow (RFC 6749 with PKCE, RFC 7636, and OpenID Connect Core). Signs in whom the ID token
 * names; for someone new it hands out a ticket for `googleSignup`, because terms have to be agreed to first.
 */
export const googleLogin = endpoint({
  name: 'googleLogin',
  method: 'POST',
  path: '/api/user/google/login/v1',
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

export const googleSignup = endpoint({
  name: 'googleSignup',
  method: 'POST',
  path: '/api/user/google/signup/v1',
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
 * [Note: Device grant] A box shows a QR whose link carries a short code instead of a token (RFC 8628). The box asks for the
 * pair of codes at `/oauth/device_authorization` and waits at `/oauth/token`; the phone that scanned it asks what the code
 * stands for, shows it, and grants or refuses. A box that is signed in hands its account to the phone; a box that is not
 * gets the account of the phone. The name of the box comes from the server's own list, never from the box; a code that a
 * link brought is compared with the screen before anybody says yes (5.4). A code that is too old is `requestExpired`, one
 * that nobody knows `codeNotFound`: codes like `tokenExpired` end the session of whoever asks, and mistyping the code of a TV must
 * not sign anybody out.
 */
export const userCodeSchema = v.pipe(
  textSchema,
  v.transform((value) =>
    typedToken(value)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, ''),
  ),
  v.regex(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/),
  v.transform((value) => `${value.slice(0, 4)}-${value.slice(4)}`),
);

export const deviceQuery = endpoint({
  name: 'deviceQuery',
  method: 'POST',
  path: '/api/user/device/query/v1',
  access: 'optional',
  body: v.strictObject({ userCode: userCodeSchema }),
  result: v.object({
    /** maker and model from the server's own list; empty for a box that is not on it, whatever it calls itself */
    device: text(80),
    model: text(80),
    /** whose the box is, masked; null for a box that nobody has signed in */
    account: v.nullable(text(160)),
    /** whether that is the account of the one who asks; two that are masked may look the same */
    isOwn: v.boolean(),
    expiresAt: v.number(),
    /** the plan of the checkout that the TV hands over ([Note: Hand-over]); absent where the code is for signing in */
    plan: v.optional(text(80)),
  }),
  reads: true,
  errors: ['requestExpired', 'codeNotFound', 'tooFrequent'],
});

/**
 * Says whether the TV is in front of the one who asks. `invalidToken` when the box has no account and nobody is signed in. What the
 * box gets is a session of its own kind: it watches and buys, and `ownerOnly` calls are refused to it.
 */
export const deviceConfirm = endpoint({
  name: 'deviceConfirm',
  method: 'POST',
  path: '/api/user/device/confirm/v1',
  access: 'optional',
  ownerOnly: true,
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
