import * as v from 'valibot';
import { confirmationSchema } from './confirm-owner.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema, nonEmptyText, text, textSchema } from './fields.ts';
import { deviceTokenSchema, userInfoSchema } from './user.ts';

/**
 * A passkey (WebAuthn Level 3, a discoverable credential) logs in through the browser's dialog without a typed account.
 * It is bound to the host of the brand where it was created. Binary values are base64url; unused parts of a credential
 * are not sent.
 */
const base64url = (max: number) => v.pipe(textSchema, v.minLength(1), v.maxLength(max), v.regex(/^[\w-]+$/));
const credentialIdSchema = base64url(1400);
const transportsSchema = v.pipe(v.array(text(20)), v.maxLength(10));
const passkeyNameSchema = nonEmptyText(60);

/** Maximum passkeys per customer. */
export const maxPasskeys = 20;

const passkeySchema = v.object({
  id: text(40),
  name: text(60),
  /** the host that it is valid for */
  host: text(253),
  /** it is synced between devices by its provider's cloud */
  synced: v.boolean(),
  /** epoch milliseconds */
  createdAt: v.number(),
  /** null until the first login with it */
  usedAt: v.nullable(v.number()),
});
export type Passkey = v.InferOutput<typeof passkeySchema>;

/**
 * The customer's passkeys, newest first. `lastWayIn`: none can be removed, because the account has no other login
 * method.
 */
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
 * Options for creating a passkey. `requestExpired` without a valid confirmation, `operationUnsupported` at a host that
 * cannot have passkeys.
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
    /** the brand's name for the browser's dialog */
    brand: text(80),
    user: v.object({ id: base64url(100), name: text(160), displayName: text(160) }),
    /** COSE algorithms, preferred first */
    algorithms: v.array(v.number()),
    /** excluded credentials: their devices do not create another */
    known: v.array(knownCredentialSchema),
    /** a suggested name: the current device */
    name: text(60),
  }),
  errors: ['tooFrequent', 'requestExpired', 'operationUnsupported', 'unauthorized'],
});

/**
 * Stores a passkey that the browser created. `requestExpired` after ten minutes, `operationUnsupported` for an invalid
 * one.
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

/** `invalidRequest` for an unknown passkey. */
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

/** Succeeds without effect for an unknown passkey. `operationUnsupported` if it is the account's last login method. */
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

/** The challenge of a passkey login: valid once, until `expiresAt`. */
export const beginPasskeyLogin = endpoint({
  name: 'beginPasskeyLogin',
  method: 'POST',
  path: '/api/user/passkey/login/begin/v1',
  body: emptySchema,
  result: v.object({ challenge: base64url(100), host: text(253), expiresAt: v.number() }),
  errors: ['operationUnsupported', 'serviceBusy'],
});

/** `invalidCredentials` for a passkey that does not match, for any reason; `requestExpired` after ten minutes. */
export const passkeyLogin = endpoint({
  name: 'passkeyLogin',
  method: 'POST',
  path: '/api/user/passkey/login/v1',
  opensSession: true,
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
