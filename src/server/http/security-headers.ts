import type { Context } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import type { Env } from '#server/env.ts';

const closed = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'hid', 'magnetometer'].concat(
  'microphone',
  'midi',
  'serial',
  'usb',
);
const permissions = closed.map((feature) => `${feature}=()`).join(', ');

/** With a page of the storefront: nothing of the device but the browser's own payment sheet. */
export const pagePermissions = `${permissions}, payment=(self)`;

/** What every answer carries that says nothing else about it: pages, files, the API, probes and refusals alike. */
const usual: readonly (readonly [string, string])[] = [
  // alone it binds no request, not even those of the service worker
  ['content-security-policy', "frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', `${permissions}, payment=()`],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

/** One year. Only the operator knows whether all hosts below a brand's are reached by https. */
const onlyHttps = 'max-age=31536000';

/** Adds what an answer leaves unsaid, and, where the brand is reached by https, that it is never reached otherwise. */
export function addSecurityHeaders(c: Context<AppEnv>, env: Pick<Env, 'PUBLIC_ORIGIN' | 'HSTS_SUBDOMAINS'>): void {
  const { headers } = c.res;
  for (const [name, value] of usual) if (!headers.has(name)) headers.set(name, value);
  if (!isReachedByHttps(c, env)) return;
  headers.set('strict-transport-security', env.HSTS_SUBDOMAINS ? `${onlyHttps}; includeSubDomains` : onlyHttps);
}

/** By the word of a trusted proxy, or by the address that the shop tells its customers (RFC 6797, 7.2: http ignores it). */
function isReachedByHttps(c: Context<AppEnv>, { PUBLIC_ORIGIN }: Pick<Env, 'PUBLIC_ORIGIN'>): boolean {
  // none of both where the host is nobody's, or a probe asks
  const told = [c.get('origin'), c.get('brand')?.origin ?? PUBLIC_ORIGIN];
  return told.some((origin) => origin?.startsWith('https:'));
}
