import type { Input, Result } from '#contract/endpoint.ts';
import type { addPasskey, beginPasskey, beginPasskeyLogin, passkeyLogin } from '#contract/passkeys.ts';

/**
 * Only if passkeys can be offered by autofill: other engines cannot find a passkey without an account. A host that is
 * an IP address has none.
 */
export function supportsPasskeys(): boolean {
  const hasName = !/^[\d.]+$|:/.test(window.location.hostname);
  const known = typeof PublicKeyCredential === 'function' && 'isConditionalMediationAvailable' in PublicKeyCredential;
  return window.isSecureContext && hasName && known;
}

/** The customer closed the browser's dialog or it timed out; a page cannot distinguish them. */
type GivenUp = 'givenUp';

type Begun = Result<typeof beginPasskey>;
type Made = Omit<Input<typeof addPasskey>['body'], 'confirmation' | 'name'>;

/** Creates a passkey. `known`: this device already has one for this account. */
export async function makePasskey({
  challenge,
  host,
  brand,
  user,
  algorithms,
  known,
}: Begun): Promise<Made | GivenUp | 'known'> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: toBytes(challenge),
    rp: { id: host, name: brand },
    user: { ...user, id: toBytes(user.id) },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(({ id, transports }) => ({
      type: 'public-key',
      id: toBytes(id),
      // as: the browser returned these names when it created the passkey
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
  try {
    const made = await navigator.credentials.create({ publicKey });
    if (!(made instanceof PublicKeyCredential)) return 'givenUp';
    const { response } = made;
    if (!(response instanceof AuthenticatorAttestationResponse)) return 'givenUp';
    const { clientDataJSON, attestationObject } = response;
    return {
      id: made.id,
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      // Firefox supports it since 119
      transports: 'getTransports' in response ? response.getTransports() : [],
    };
  } catch (error) {
    if (isNamed(error, 'InvalidStateError')) return 'known';
    return handleSigningError(error);
  }
}

type Signed = Omit<Input<typeof passkeyLogin>['body'], 'device'>;
type Asked = Pick<Result<typeof beginPasskeyLogin>, 'challenge' | 'host'>;

interface AskOptions {
  /** ends the offer by autofill; the customer closes a dialog */
  readonly signal?: AbortSignal;
  /** by autofill at the account field, without a dialog before the customer chooses a passkey */
  readonly beside: boolean;
}

/** Signs the challenge with one of the browser's passkeys. */
export async function signWithPasskey(
  { challenge, host }: Asked,
  { signal, beside }: AskOptions,
): Promise<Signed | GivenUp> {
  const publicKey = { challenge: toBytes(challenge), rpId: host, userVerification: 'required' } as const;
  try {
    const given = await navigator.credentials.get({
      publicKey,
      ...(signal && { signal }),
      ...(beside && { mediation: 'conditional' }),
    });
    if (!(given instanceof PublicKeyCredential)) return 'givenUp';
    const { response } = given;
    if (!(response instanceof AuthenticatorAssertionResponse)) return 'givenUp';
    return {
      id: given.id,
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
    };
  } catch (error) {
    return handleSigningError(error);
  }
}

function handleSigningError(error: unknown): GivenUp {
  if (!(error instanceof DOMException)) throw error;
  // browsers give no other reason, so that pages do not learn which passkeys exist
  if (!isNamed(error, 'NotAllowedError', 'AbortError')) console.info('The browser did not use a passkey.', error);
  return 'givenUp';
}

const isNamed = (error: unknown, ...names: string[]) => error instanceof DOMException && names.includes(error.name);

/** Decodes base64url, as the contract uses it. */
const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const toText = (buffer: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
