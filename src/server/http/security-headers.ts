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

/** For pages of the storefront: no device features except the browser's payment sheet. */
export const pagePermissions = `${permissions}, payment=(self)`;

/** Default headers of every response: pages, files, the API, probes and refusals. */
const usual: readonly (readonly [string, string])[] = [
  // `frame-ancestors` alone restricts no requests, not even those of the service worker
  ['content-security-policy', "frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', `${permissions}, payment=()`],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

/** One year. Only the operator knows whether all subdomains of a brand's host use HTTPS. */
const onlyHttps = 'max-age=31536000';

/** Adds the default headers that a response does not set, and HSTS where the brand is reached by HTTPS. */
export function addSecurityHeaders(c: Context<AppEnv>, env: Pick<Env, 'PUBLIC_ORIGIN' | 'HSTS_SUBDOMAINS'>): void {
  const { headers } = c.res;
  for (const [name, value] of usual) if (!headers.has(name)) headers.set(name, value);
  if (!isReachedByHttps(c, env)) return;
  headers.set('strict-transport-security', env.HSTS_SUBDOMAINS ? `${onlyHttps}; includeSubDomains` : onlyHttps);
}

/**
 * According to a trusted proxy, or to the public origin of the shop (RFC 6797, 7.2: HTTP clients ignore the header).
 */
function isReachedByHttps(c: Context<AppEnv>, { PUBLIC_ORIGIN }: Pick<Env, 'PUBLIC_ORIGIN'>): boolean {
  // both are missing for an unknown host and for probes
  const origins = [c.get('origin'), c.get('brand')?.origin ?? PUBLIC_ORIGIN];
  return origins.some((origin) => origin?.startsWith('https:'));
}
