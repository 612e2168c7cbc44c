import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import * as v from 'valibot';
import { pushMessageSchema, type BrowserSubscription, type PushMessage } from '#contract/push.ts';

/** Asks something of the shop, by HTTP or in process. */
type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** What the sandbox push service keeps for a browser, as `/dev/push.json` tells it. */
export interface StoredPush {
  readonly to: string;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string | null;
  readonly body: string;
  readonly at: number;
}

export interface PushBrowser {
  /** what `PushSubscription.toJSON()` would say */
  readonly subscription: BrowserSubscription;
  /** what came, newest first, as the service has it */
  kept(): Promise<StoredPush[]>;
  /** what came, newest first, as this browser reads it */
  read(): Promise<PushMessage[]>;
  /** the customer has turned messages off in the browser */
  leave(): Promise<void>;
}

/** A browser made of Node: its keys, and a subscription at the sandbox push service for the shop's key. */
export async function aPushBrowser(ask: Ask, key: string): Promise<PushBrowser> {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const made = await ask('/sandbox/push/subscribe', { method: 'POST', body: JSON.stringify({ vapid: key }) });
  const endpoint = made.headers.get('location');
  if (made.status !== 201 || endpoint === null) throw new Error(`no subscription: ${made.status}`);
  const { pathname } = new URL(endpoint);
  const kept = async () => {
    // as: the page of the sandbox for tests
    const all = (await (await ask('/dev/push.json')).json()) as StoredPush[];
    return all.filter(({ to }) => pathname.endsWith(to));
  };
  return {
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    kept,
    read: async () => (await kept()).map(({ body }) => readPush(Buffer.from(body, 'base64url'), pair, auth)),
    leave: async () => void (await ask(pathname, { method: 'DELETE' })),
  };
}

/**
 * Reads one record of `aes128gcm` (RFC 8188, 2) under the keys of RFC 8291 (3.3, 3.4), written from the standards and
 * without the library that encrypts.
 */
function readPush(body: Buffer, pair: ECDH, auth: Buffer): PushMessage {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32);
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', new Uint8Array(secret), salt, `Content-Encoding: ${label}\0`, bytes));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return v.parse(v.pipe(v.string(), v.parseJson(), pushMessageSchema), padded.toString('utf8', 0, end));
}
