import { workerHeader } from '#contract/worker.ts';
import { reportHeaders } from '../policy-reports/mount-policy-reports.ts';
import { pagePermissions } from '../security-headers.ts';

export interface PageHeaderOptions {
  /** the address holds one */
  readonly secret?: boolean | undefined;
  /** whether this shop has a service worker ([Note: Worker off]) */
  readonly worker?: boolean | undefined;
}

/** What every page carries, the shell included; `policy` is its Content-Security-Policy. */
export function pageHeaders(policy: string, { secret, worker = true }: PageHeaderOptions): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    // The next visit asks again, so that a price is never old; the page in the middle is small. A browser files what it
    // keeps under the full address, so it keeps nothing of one with a secret.
    'Cache-Control': secret ? 'no-store' : 'no-cache',
    Vary: 'Accept-Encoding, Accept-Language, Cookie, User-Agent',
    'X-Content-Type-Options': 'nosniff',
    // Nobody is told the path or the query, our own server neither: the first files of a page are asked for before its
    // script has taken the secrets out of the address. The origin is enough for payment and identity providers.
    'Referrer-Policy': 'strict-origin',
    'Permissions-Policy': pagePermissions,
    ...(!worker && { [workerHeader]: 'off' }),
    ...(policy && { 'Content-Security-Policy': policy, ...reportHeaders }),
  };
}
