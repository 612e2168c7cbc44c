import { workerHeader } from '#contract/worker.ts';
import { reportHeaders } from '../policy-reports/mount-policy-reports.ts';
import { pagePermissions } from '../security-headers.ts';

export interface PageHeaderOptions {
  /** the URL contains a secret */
  readonly secret?: boolean | undefined;
  /** whether this shop has a service worker ([Note: Worker off]) */
  readonly worker?: boolean | undefined;
}

/** The headers of every page, including the shell; `policy` is its Content-Security-Policy. */
export function pageHeaders(policy: string, { secret, worker = true }: PageHeaderOptions): Record<string, string> {
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
    ...(policy && { 'Content-Security-Policy': policy, ...reportHeaders }),
  };
}
