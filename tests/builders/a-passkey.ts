import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import * as endpoints from '#contract/index.ts';
import type { CallOptions, TestApp } from './test-app.ts';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString('base64url');

/** The authenticator data that is signed: hash of the host, flags (present, verified), counter. */
const authData = (host: string, flags: number, counter: number, rest: Uint8Array = new Uint8Array()) => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(host), Buffer.of(flags), count, rest]);
};

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/** An attestation statement that replaces the format "none". */
export interface Attestation {
  readonly format: string;
  /** values of up to 65,535 bytes, by name */
  readonly statement: Readonly<Record<string, Uint8Array | readonly Uint8Array[]>>;
}

const cborText = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);
const cborBytes = (data: Uint8Array) => Buffer.concat([Buffer.of(0x59, data.length >> 8, data.length & 0xff), data]);
const cborValue = (value: Uint8Array | readonly Uint8Array[]) =>
  value instanceof Uint8Array
    ? cborBytes(value)
    : Buffer.concat([Buffer.of(0x80 + value.length), ...value.map(cborBytes)]);

function encodeAttestation({ format, statement }: Attestation, data: Uint8Array): Buffer {
  const members = Object.entries(statement);
  const attStmt = [
    Buffer.of(0xa0 + members.length),
    ...members.flatMap(([name, value]) => [cborText(name), cborValue(value)]),
  ];
  const parts = [
    cborText('fmt'),
    cborText(format),
    cborText('attStmt'),
    ...attStmt,
    cborText('authData'),
    cborBytes(data),
  ];
  return Buffer.concat([Buffer.of(0xa3), ...parts]);
}

const noAttestation: Attestation = { format: 'none', statement: {} };

/** A device with a passkey (WebAuthn Level 3): ES256, attestation "none". */
interface Authenticator {
  readonly id: string;
  /** the fields of `addPasskey` except name and confirmation */
  make(
    challenge: string,
    attestation?: Attestation,
  ): { id: string; clientDataJSON: string; attestationObject: string; transports: string[] };
  /** the fields of `passkeyLogin`; each signature increments the counter unless one is given */
  sign(
    challenge: string,
    changed?: { counter?: number; flags?: number; origin?: string; type?: string },
  ): { id: string; clientDataJSON: string; authenticatorData: string; signature: string };
}

export function anAuthenticator(host = 'localhost', origin = `http://${host}`): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const idBytes = randomBytes(32);
  const id = base64url(idBytes);
  let lastCounter = 0;
  const coordinate = (text: string) => Buffer.concat([Buffer.of(0x58, 32), Buffer.from(text, 'base64url')]);
  // COSE key in CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
  const cose = Buffer.concat([
    Buffer.from('a5010203262001', 'hex'),
    Buffer.of(0x21),
    coordinate(x),
    Buffer.of(0x22),
    coordinate(y),
  ]);
  return {
    id,
    make: (challenge, attestation = noAttestation) => {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, idBytes.length), idBytes, cose]);
      const data = authData(host, present | verified | attested, lastCounter, credential);
      const client = clientData('webauthn.create', challenge, origin);
      return {
        id,
        clientDataJSON: base64url(client),
        attestationObject: base64url(encodeAttestation(attestation, data)),
        transports: ['internal'],
      };
    },
    sign: (challenge, { counter = (lastCounter += 1), flags = present | verified, ...changed } = {}) => {
      const data = authData(host, flags, counter);
      const client = clientData(changed.type ?? 'webauthn.get', challenge, changed.origin ?? origin);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        id,
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      };
    },
  };
}

/** Adds a passkey to the account of a session, confirmed by the password. */
export async function putPasskey(
  shop: Pick<TestApp, 'request'>,
  { token, password }: { token: string; password: string },
  device = anAuthenticator(),
  options: CallOptions = {},
): Promise<Authenticator> {
  const by = { ...options, token };
  const body = { purpose: 'passkey', password } as const;
  const { confirmation } = (await shop.request(endpoints.confirmOwner, { body }, by)).data;
  const { challenge } = (await shop.request(endpoints.beginPasskey, { body: { confirmation } }, by)).data;
  const passkey = { confirmation, name: 'My phone', ...device.make(challenge) };
  const added = await shop.request(endpoints.addPasskey, { body: passkey }, by);
  if (added.code !== 0) throw new Error(`no passkey: ${added.errCode}`);
  return device;
}

/** Logs in with a passkey. */
export async function logInByPasskey(
  shop: Pick<TestApp, 'request'>,
  device: Authenticator,
  changed: Parameters<Authenticator['sign']>[1] = {},
  options: CallOptions = {},
) {
  const { challenge } = (await shop.request(endpoints.beginPasskeyLogin, { body: {} }, options)).data;
  return shop.request(endpoints.passkeyLogin, { body: device.sign(challenge, changed) }, options);
}
