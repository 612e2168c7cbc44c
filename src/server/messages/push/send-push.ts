import { createHash } from 'node:crypto';
import webPush from 'web-push';
import type { PushMessage } from '#contract/push.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { pushSubscriptions } from '#server/db/schema/push.ts';
import type { Deps } from '#server/deps.ts';
import { vapidHeader } from './vapid.ts';

const encoding = 'aes128gcm';
const timeoutMs = 10_000;
/** A longer `Retry-After` is capped to this; the message may expire earlier. */
const longestPauseMs = 60 * 60_000;

/**
 * The result of one message: accepted by the push service; `gone`, because the browser's subscription no longer exists;
 * refused permanently; or to be retried, after `pauseMs` where the service sets it.
 */
export type Sent =
  | { readonly state: 'accepted' | 'gone' }
  | { readonly state: 'refused'; readonly status: number }
  | { readonly state: 'later'; readonly status?: number; readonly pauseMs?: number };

export interface Outgoing {
  readonly id: string;
  readonly brand: Pick<Brand, 'code' | 'origin'>;
  readonly to: Pick<typeof pushSubscriptions.$inferSelect, 'p256dh' | 'auth'>;
  readonly endpoint: URL;
  readonly content: PushMessage;
  /** epoch milliseconds; the push service stores the message until then */
  readonly expiresAt: number;
}

/** Posts one message to a browser's push service, encrypted for that browser (RFC 8030, 5; RFC 8291). */
export async function sendPush(deps: Pick<Deps, 'push' | 'env' | 'clock'>, outgoing: Outgoing): Promise<Sent> {
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
function readAnswer({ status, headers }: Response): Sent {
  if (status >= 200 && status < 300) return { state: 'accepted' };
  if (status === 404 || status === 410) return { state: 'gone' };
  if (status === 400 || status === 413) return { state: 'refused', status };
  const seconds = Number(headers.get('retry-after') ?? '');
  if (!Number.isFinite(seconds) || seconds <= 0) return { state: 'later', status };
  return { state: 'later', status, pauseMs: Math.min(longestPauseMs, seconds * 1000) };
}
