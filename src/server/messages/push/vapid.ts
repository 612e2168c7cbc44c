import { createECDH, createPrivateKey, hkdfSync, type KeyObject, ECDH } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';

const curve = 'prime256v1';
/** Half of what RFC 8292 (section 2) lets a token last. */
const tokenLifetimeMs = 12 * 60 * 60_000;
/** The order of P-256 (SEC 2, 2.4.2): a private key is from 1 up to one less. */
const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export interface VapidKeys {
  /** uncompressed point, base64url: what a browser subscribes with */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * [Note: Push keys] The key pair by which push services know a brand (RFC 8292), derived from the shop's one secret: it is
 * there from the first start on, the same in every process, and there is nothing more to keep, to share or to lose. A new
 * secret ends every subscription, which browsers then make anew when the customer asks again.
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

/** HKDF until it gives a private key; four in a thousand million first tries do not. */
function privateNumber(secret: string, brand: string): Buffer {
  for (let round = 0; ; round += 1) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `web push ${brand} ${round}`, 32));
    const number = BigInt(`0x${bytes.toString('hex')}`);
    if (number > 0n && number < groupOrder) return bytes;
  }
}

/** Whom a push service can tell that something is wrong with our messages: a web address or a mailbox (RFC 8292, 2.1). */
function contactOf({ origin }: Pick<Brand, 'origin'>, { MAIL_FROM }: Pick<Deps['env'], 'MAIL_FROM'>): string {
  return origin.startsWith('https:') ? origin : `mailto:${MAIL_FROM}`;
}

/** The header by which the push service of `endpoint` knows that the brand sends. */
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

/** Whether a public key is a point of P-256: to what is none, nothing can be encrypted (RFC 8291, 3.1). */
export function isReadable(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'uncompressed') !== '';
  } catch {
    // what OpenSSL says of a key that is none
    return false;
  }
}
