import type { Context } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import type { Env } from '#server/env.ts';
import { workerHeader } from '#contract/worker.ts';
import { reportHeaders } from './policy-reports/mount-policy-reports.ts';

const closed = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'hid', 'magnetometer'].concat(
  'microphone',
  'midi',
  'serial',
  'usb',
);
const permissions = closed.map((feature) => `${feature}=()`).join(', ');

/** For pages of the storefront: no device features except the browser's payment sheet. */
const pagePermissions = `${permissions}, payment=(self)`;

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

export interface PageHeaderOptions {
  /** the URL contains a secret */
  readonly secret?: boolean | undefined;
  /** whether this shop has a service worker ([Note: Worker off]) */
  readonly worker?: boolean | undefined;
  /** whether the brand offers Google Pay */
  readonly googlePay?: boolean | undefined;
}

/**
 * Where a browser reads whether this device has Google Pay, with the origins that it redirects to. Chrome applies the
 * page's policy to it (developer.chrome.com/blog/payment-handler-csp-connect-src).
 */
const googlePayOrigins = 'https://google.com https://www.google.com https://pay.google.com';

/** The headers of every page, including the shell; `policy` is its Content-Security-Policy. */
export function pageHeaders(
  policy: string,
  { secret, worker = true, googlePay }: PageHeaderOptions,
): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    // Pages are small and revalidated at each visit, so that a price is never outdated. Browsers cache under the full
    // URL, so a URL with a secret is not stored.
    'Cache-Control': secret ? 'no-store' : 'no-cache',
    Vary: 'Accept-Encoding, Accept-Language, Cookie, User-Agent',
    'X-Content-Type-Options': 'nosniff',
    // No server receives path or query, not even our own: the first files of a page are requested before its script has
    // removed secrets from the URL. The origin is enough for payment and identity providers.
    'Referrer-Policy': 'strict-origin',
    'Permissions-Policy': pagePermissions,
    ...(!worker && { [workerHeader]: 'off' }),
    ...(policy && {
      'Content-Security-Policy': googlePay ? policy.replace("connect-src 'self'", `$& ${googlePayOrigins}`) : policy,
      ...reportHeaders,
    }),
  };
}
