import type { Deps } from '#server/deps.ts';

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
