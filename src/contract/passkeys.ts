import * as v from 'valibot';
import { confirmationSchema } from './confirm-owner.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, filledText, text, textSchema } from './fields.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/**
 * [Note: Passkeys] A passkey (WebAuthn Level 3, a discoverable credential) signs in by the browser's own sheet, with no
 * account typed. It is bound to the host of the brand where it was made, and works at no other. What the browser and the
 * server exchange is base64url; the parts of a credential that nobody reads here are not sent.
 */
const base64url = (max: number) => v.pipe(textSchema, v.minLength(1), v.maxLength(max), v.regex(/^[\w-]+$/));
const credentialIdSchema = base64url(1400);
const transportsSchema = v.pipe(v.array(text(20)), v.maxLength(10));
const passkeyNameSchema = filledText(60);

/** How many a customer may have. */
export const maxPasskeys = 20;

export const passkeySchema = v.object({
  id: text(40),
  name: text(60),
  /** the host that it opens */
  host: text(253),
  /** it is on more devices than one, as its maker's cloud brings it there */
  synced: v.boolean(),
  /** epoch milliseconds */
  createdAt: v.number(),
  /** null as long as nobody has signed in by it */
  usedAt: v.nullable(v.number()),
});
export type Passkey = v.InferOutput<typeof passkeySchema>;

/** The customer's passkeys, the newest first. `lastWayIn`: none of them can be removed, because nothing else opens the account. */
export const listPasskeys = endpoint({
  name: 'listPasskeys',
  method: 'POST',
  path: '/api/user/passkey/list/v1',
  access: 'customer',
  ownerOnly: true,
  body: emptySchema,
  result: v.object({ passkeys: v.array(passkeySchema), lastWayIn: v.boolean() }),
  reads: true,
  errors: ['unauthorized'],
});

const knownCredentialSchema = v.object({ id: credentialIdSchema, transports: transportsSchema });

/**
 * What the browser makes a new passkey by. `requestExpired` without a good confirmation, `operationUnsupported` at a host
 * that cannot have any.
 */
export const beginPasskey = endpoint({
  name: 'beginPasskey',
  method: 'POST',
  path: '/api/user/passkey/begin/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ confirmation: confirmationSchema }),
  result: v.object({
    challenge: base64url(100),
    host: text(253),
    /** the brand, as the browser's sheet may show it */
    brand: text(80),
    user: v.object({ id: base64url(100), name: text(160), displayName: text(160) }),
    /** COSE algorithms, the preferred first */
    algorithms: v.array(v.number()),
    /** devices that have one already do not make another */
    known: v.array(knownCredentialSchema),
    /** a name to begin with: the device that asks */
    name: text(60),
  }),
  errors: ['tooFrequent', 'requestExpired', 'operationUnsupported', 'unauthorized'],
});

/**
 * Keeps a passkey that the browser has made. `requestExpired` where it took longer than ten minutes, `operationUnsupported`
 * for one that does not fit.
 */
export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/user/passkey/add/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({
    confirmation: confirmationSchema,
    name: passkeyNameSchema,
    id: credentialIdSchema,
    clientDataJSON: base64url(8192),
    attestationObject: base64url(16_384),
    transports: transportsSchema,
  }),
  result: passkeySchema,
  errors: ['tooFrequent', 'requestExpired', 'operationUnsupported', 'unauthorized'],
});

/** `invalidRequest` for one that is not the customer's. */
export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'POST',
  path: '/api/user/passkey/rename/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ id: text(40), name: passkeyNameSchema }),
  result: emptySchema,
  errors: ['invalidRequest', 'unauthorized'],
});

/** One that is gone is as good as removed. `operationUnsupported` for the last way into the account. */
export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'POST',
  path: '/api/user/passkey/remove/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ id: text(40) }),
  result: emptySchema,
  errors: ['operationUnsupported', 'unauthorized'],
});

/** What the browser asks its passkeys by: good once, until `expiresAt`. */
export const beginPasskeyLogin = endpoint({
  name: 'beginPasskeyLogin',
  method: 'POST',
  path: '/api/user/passkey/login/begin/v1',
  body: emptySchema,
  result: v.object({ challenge: base64url(100), host: text(253), expiresAt: v.number() }),
  errors: ['operationUnsupported', 'serviceBusy'],
});

/**
 * `invalidCredentials` for a passkey that opens nothing here, whyever; `requestExpired` where it took longer than ten
 * minutes.
 */
export const passkeyLogin = endpoint({
  name: 'passkeyLogin',
  method: 'POST',
  path: '/api/user/passkey/login/v1',
  body: v.strictObject({
    id: credentialIdSchema,
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(2048),
    device: v.optional(deviceTokenSchema),
  }),
  result: userInfoSchema,
  errors: [
    'invalidCredentials',
    'requestExpired',
    'accountTypeRefused',
    'loginNotAllowed',
    'operationUnsupported',
    'serviceBusy',
  ],
});
