import type { Deps } from '../deps.ts';
import { sandboxClient } from '../sandbox/google/sandbox-keys.ts';
import { sandboxIssuer, sandboxProvider } from '../sandbox/google/sandbox-provider.ts';
import type { GoogleProvider } from './google-provider.ts';
import { openIdClient } from './openid-client.ts';

const googleIssuer = 'https://accounts.google.com';

/**
 * Google, where this installation is a client of it; else the sandbox provider, which speaks the same protocol and is
 * reached by the same code, without the network; else nothing.
 */
export function openGoogle(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'log'>): GoogleProvider | null {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, SANDBOX } = deps.env;
  // readSettings lets one through only with the other
  if (GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined) {
    const client = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    return openIdClient({ ...client, issuer: () => googleIssuer, reach: fetch }, deps);
  }
  if (!SANDBOX) return null;
  const provider = sandboxProvider(deps);
  const reach = async (url: string, init: RequestInit) => provider.fetch(new Request(url, init));
  return openIdClient({ ...sandboxClient(deps.env), issuer: sandboxIssuer, reach }, deps);
}
