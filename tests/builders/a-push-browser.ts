import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import * as v from 'valibot';
import { pushMessageSchema, type BrowserSubscription, type PushMessage } from '#contract/push.ts';

/** Sends a request to the shop, by HTTP or in process. */
type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** A message that the sandbox push service stores for a browser, as `/dev/push.json` lists it. */
interface StoredPush {
  readonly to: string;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string | null;
  readonly body: string;
  readonly at: number;
}

export interface PushBrowser {
  /** the value of `PushSubscription.toJSON()` */
  readonly subscription: BrowserSubscription;
  /** the encrypted messages, newest first */
  kept(): Promise<StoredPush[]>;
  /** the decrypted messages, newest first */
  read(): Promise<PushMessage[]>;
  /** the customer turns notifications off in the browser */
  leave(): Promise<void>;
}

/** A simulated browser: its keys, and a subscription at the sandbox push service for the shop's key. */
export async function aPushBrowser(send: SendRequest, key: string): Promise<PushBrowser> {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const created = await send('/sandbox/push/subscribe', { method: 'POST', body: JSON.stringify({ vapid: key }) });
  const endpoint = created.headers.get('location');
  if (created.status !== 201 || endpoint === null) throw new Error(`no subscription: ${created.status}`);
  const { pathname } = new URL(endpoint);
  const kept = async () => {
    // as: the sandbox's own page for tests
    const all = (await (await send('/dev/push.json')).json()) as StoredPush[];
    return all.filter(({ to }) => pathname.endsWith(to));
  };
  return {
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    kept,
    read: async () => (await kept()).map(({ body }) => readPush(Buffer.from(body, 'base64url'), pair, auth)),
    leave: async () => void (await send(pathname, { method: 'DELETE' })),
  };
}

/**
 * Decrypts one record of `aes128gcm` (RFC 8188, 2) with the keys of RFC 8291 (3.3, 3.4). Written from the standards,
 * independent of the library that encrypts.
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
