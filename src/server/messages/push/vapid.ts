import { createECDH, createPrivateKey, hkdfSync, type KeyObject, ECDH } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';

const curve = 'prime256v1';
/** Half of the longest lifetime of a token (RFC 8292, section 2). */
const tokenLifetimeMs = 12 * 60 * 60_000;
/** The order of P-256 (SEC 2, 2.4.2): a private key is between 1 and this minus 1. */
const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export interface VapidKeys {
  /** uncompressed point, base64url: browsers subscribe with it */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * The VAPID key pair of a brand (RFC 8292), derived from `SIGNING_SECRET`: it is the same in every process, and there
 * is nothing more to store or to lose. A new secret ends every subscription; browsers subscribe again when the customer
 * next turns notifications on.
 */
export function vapidKeys({ SIGNING_SECRET }: Pick<Deps['env'], 'SIGNING_SECRET'>, brand: string): VapidKeys {
  const secret = privateNumber(SIGNING_SECRET, brand);
  const pair = createECDH(curve);
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const jwk = { kty: 'EC', crv: 'P-256', d: secret.toString('base64url'), x, y };
  return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** Repeats HKDF until the result is a private key; the first round fails four times in a thousand million. */
function privateNumber(secret: string, brand: string): Buffer {
  for (let round = 0; ; round += 1) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `web push ${brand} ${round}`, 32));
    const number = BigInt(`0x${bytes.toString('hex')}`);
    if (number > 0n && number < groupOrder) return bytes;
  }
}

/** The contact for push services that find problems with our messages: a URL or a mailbox (RFC 8292, 2.1). */
function contactOf({ origin }: Pick<Brand, 'origin'>, { MAIL_FROM }: Pick<Deps['env'], 'MAIL_FROM'>): string {
  return origin.startsWith('https:') ? origin : `mailto:${MAIL_FROM}`;
}

/** The authorization header that identifies the brand to the push service of `endpoint`. */
export async function vapidHeader(
  { env, clock }: Pick<Deps, 'env' | 'clock'>,
  brand: Pick<Brand, 'code' | 'origin'>,
  endpoint: URL,
): Promise<string> {
  const { publicKey, privateKey } = vapidKeys(env, brand.code);
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(endpoint.origin)
    .setExpirationTime(Math.floor((clock() + tokenLifetimeMs) / 1000))
    .setSubject(contactOf(brand, env))
    .sign(privateKey);
  return `vapid t=${token}, k=${publicKey}`;
}

/** Whether a public key is a point of P-256; otherwise nothing can be encrypted for it (RFC 8291, 3.1). */
export function isReadable(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'uncompressed') !== '';
  } catch {
    // OpenSSL throws for an invalid key
    return false;
  }
}
