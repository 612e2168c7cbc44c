import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the timestamp of a notice may differ from our clock, in milliseconds: five minutes, either way. */
export const noticeWindowMs = 5 * 60_000;

/** HMAC-SHA256 over `${timestamp}.${body}`, in hex. */
export function signNotice(secret: string, timestamp: number, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Whether the notice is authentic and fresh. Compares in constant time; malformed input is false. */
export function isSignedNotice(
  secret: string,
  notice: { timestamp: string | null; signature: string | null; body: string },
  now: number,
): boolean {
  if (!/^\d{13}$/.test(notice.timestamp ?? '') || !/^[0-9a-f]{64}$/.test(notice.signature ?? '')) return false;
  const timestamp = Number(notice.timestamp);
  if (Math.abs(now - timestamp) > noticeWindowMs) return false;
  const expected = Buffer.from(signNotice(secret, timestamp, notice.body), 'hex');
  return timingSafeEqual(expected, Buffer.from(notice.signature ?? '', 'hex'));
}
