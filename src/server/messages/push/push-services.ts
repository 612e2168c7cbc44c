import type { Deps } from '#server/deps.ts';

/** Where the sandbox push service lies, at any host of ours. */
export const sandboxPushPath = '/sandbox/push';

/** Whether messages posted there are for the sandbox push service: it is asked in process, whatever the host. */
export function isSandboxEndpoint(url: URL): boolean {
  return /^\/sandbox\/push\/browsers\/[\w-]{10,80}$/.test(url.pathname) && url.search === '';
}

/** The push services of the browsers: Chrome and those built on it, Firefox, Safari, Edge. */
const hosts: ReadonlySet<string> = new Set(['fcm.googleapis.com', 'updates.push.services.mozilla.com']);
const domains = ['.push.apple.com', '.notify.windows.com'];

/**
 * The address that messages for a browser are posted to, or undefined where nothing is ever sent. It comes from a
 * stranger, and the server goes there from inside of its network: so by https, at the usual port, and to services that
 * are known by name (or that `PUSH_HOSTS` names), which leaves no address of a private network. The sandbox's own service
 * is reached without any network.
 */
export function pushEndpoint(address: string, env: Pick<Deps['env'], 'SANDBOX' | 'PUSH_HOSTS'>): URL | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // no address at all, which the contract lets nobody send
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  if (env.SANDBOX && isSandboxEndpoint(url)) return url;
  if (url.protocol !== 'https:' || url.port !== '') return undefined;
  return isPushHost(url.hostname, env) ? url : undefined;
}

/** Whether a host is a push service of the browsers, or one that `PUSH_HOSTS` names. */
export function isPushHost(hostname: string, { PUSH_HOSTS }: Pick<Deps['env'], 'PUSH_HOSTS'>): boolean {
  const known = hosts.has(hostname) || domains.some((domain) => hostname.endsWith(domain));
  return known || PUSH_HOSTS.includes(hostname);
}
