import { createHash, timingSafeEqual, createECDH, createPrivateKey, hkdfSync, ECDH, type KeyObject } from 'node:crypto';
import webPush from 'web-push';
import type { PushMessage } from '#contract/push.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';
import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/push.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import { pushSubscriptions } from '#server/db/schema/push.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { SignJWT } from 'jose';

const encoding = 'aes128gcm';
const timeoutMs = 10_000;
/** A longer `Retry-After` is capped to this; the message may expire earlier. */
const longestPauseMs = 60 * 60_000;

/**
 * The result of one message: accepted by the push service; `gone`, because the browser's subscription no longer exists;
 * refused permanently; or to be retried, after `pauseMs` where the service sets it.
 */
export type PushResult =
  | { readonly state: 'accepted' | 'gone' }
  | { readonly state: 'refused'; readonly status: number }
  | { readonly state: 'later'; readonly status?: number; readonly pauseMs?: number };

interface Outgoing {
  readonly id: string;
  readonly brand: Pick<Brand, 'code' | 'origin'>;
  readonly to: Pick<typeof pushSubscriptions.$inferSelect, 'p256dh' | 'auth'>;
  readonly endpoint: URL;
  readonly content: PushMessage;
  /** epoch milliseconds; the push service stores the message until then */
  readonly expiresAt: number;
}

/** Posts one message to a browser's push service, encrypted for that browser (RFC 8030, 5; RFC 8291). */
export async function sendPush(deps: Pick<Deps, 'push' | 'env' | 'clock'>, outgoing: Outgoing): Promise<PushResult> {
  const request = await requestOf(deps, outgoing);
  try {
    const response = await deps.push(
      // a redirect could lead to a host that is not a known push service
      new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }),
    );
    await response.body?.cancel();
    return readAnswer(response);
  } catch {
    // No response in time: the result is unknown. A second copy replaces the first by its topic.
    return { state: 'later' };
  }
}

async function requestOf(deps: Pick<Deps, 'env' | 'clock'>, outgoing: Outgoing): Promise<Request> {
  const { id, brand, to, endpoint, content, expiresAt } = outgoing;
  const { href } = endpoint;
  const subscription = { endpoint: href, keys: { p256dh: to.p256dh, auth: to.auth } };
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(content), {
    contentEncoding: encoding,
    TTL: Math.max(0, Math.ceil((expiresAt - deps.clock()) / 1000)),
    urgency: 'normal',
    topic: createHash('sha256').update(id).digest('base64url').slice(0, 32),
  });
  const { 'Content-Length': _counted, ...given } = headers;
  const sent = new Headers(Object.entries(given));
  // signed here and not by the library, because it uses our clock and the brand's own key
  sent.set('authorization', await vapidHeader(deps, brand, endpoint));
  return new Request(href, { method: 'POST', headers: sent, body: new Uint8Array(body ?? []) });
}

/** RFC 8030, 5 and 7.3; responses about load, the service itself or our key may be temporary. */
function readAnswer({ status, headers }: Response): PushResult {
  if (status >= 200 && status < 300) return { state: 'accepted' };
  if (status === 404 || status === 410) return { state: 'gone' };
  if (status === 400 || status === 413) return { state: 'refused', status };
  const seconds = Number(headers.get('retry-after') ?? '');
  if (!Number.isFinite(seconds) || seconds <= 0) return { state: 'later', status };
  return { state: 'later', status, pauseMs: Math.min(longestPauseMs, seconds * 1000) };
}

/** The path of the sandbox push service, at every host of the shop. */
export const sandboxPushPath = '/sandbox/push';

/** Whether messages to this URL go to the sandbox push service, which is called in process, whatever the host. */
export function isSandboxEndpoint(url: URL): boolean {
  return /^\/sandbox\/push\/browsers\/[\w-]{10,80}$/.test(url.pathname) && url.search === '';
}

/** The push services of Chrome and browsers built on it, Firefox, Safari and Edge. */
const hosts: ReadonlySet<string> = new Set(['fcm.googleapis.com', 'updates.push.services.mozilla.com']);
const domains = ['.push.apple.com', '.notify.windows.com'];

/**
 * The URL to which messages for a browser are posted, or undefined where it is not allowed. The address comes from an
 * untrusted browser, and the server requests it from inside its network (SSRF): so only HTTPS, the default port, and
 * push services known by name or by `PUSH_HOSTS`. The sandbox push service is called without a network.
 */
export function pushEndpoint(address: string, env: Pick<Deps['env'], 'SANDBOX' | 'PUSH_HOSTS'>): URL | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // not a URL, which the contract refuses
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  if (env.SANDBOX && isSandboxEndpoint(url)) return url;
  if (url.protocol !== 'https:' || url.port !== '') return undefined;
  return isPushHost(url.hostname, env) ? url : undefined;
}

/** Whether a host is a known push service or listed in `PUSH_HOSTS`. */
export function isPushHost(hostname: string, { PUSH_HOSTS }: Pick<Deps['env'], 'PUSH_HOSTS'>): boolean {
  const known = hosts.has(hostname) || domains.some((domain) => hostname.endsWith(domain));
  return known || PUSH_HOSTS.includes(hostname);
}

/** Browsers almost never renew, but one network contains many of them. */
const limit = { tries: 60, windowMs: 60 * 60_000 };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The subscription stays with its session, and its watches and reminders are unchanged. */
export const renewPush: Handler<typeof contract.renewPush> = async ({ body }, { deps, brand, ip, refuse }) => {
  const { db, env, clock } = deps;
  const { old, endpoint, keys } = body;
  if (!pushEndpoint(endpoint, env)) refuseInput('endpoint');
  if (!isValidPublicKey(keys.p256dh)) refuseInput('p256dh');
  const taken = await countTryFrom(db, 'renew push', ip, limit, clock());
  if (!taken.allowed) return refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  const at = (address: string) => and(eq(pushSubscriptions.brand, brand.code), eq(pushSubscriptions.endpoint, address));
  const [known] = await db.select().from(pushSubscriptions).where(at(old.endpoint));
  if (!known || !timingSafeEqual(digest(known.auth), digest(old.auth))) return {};
  await db
    .update(pushSubscriptions)
    .set({ endpoint, p256dh: keys.p256dh, auth: keys.auth })
    .where(and(at(old.endpoint), eq(pushSubscriptions.id, known.id), eq(pushSubscriptions.auth, known.auth)));
  return {};
};

const curve = 'prime256v1';
/** Half of the longest lifetime of a token (RFC 8292, section 2). */
const tokenLifetimeMs = 12 * 60 * 60_000;
/** The order of P-256 (SEC 2, 2.4.2): a private key is between 1 and this minus 1. */
const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

interface VapidKeys {
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
export function isValidPublicKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'hex', 'uncompressed') !== '';
  } catch {
    // OpenSSL throws for an invalid key
    return false;
  }
}
