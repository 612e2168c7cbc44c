import { expect, it } from 'vitest';
import { allowProxies, isAllowedDestination } from './outbound.ts';

/** A new host each time, because allowed hosts cannot be removed from a process. */
let made = 0;
function isReached(env: Record<string, string>, execArgv: readonly string[] = []): boolean {
  const host = `proxy-${(made += 1)}.internal.example`;
  allowProxies({ ...env, HTTPS_PROXY: `http://${host}:3128` }, execArgv);
  return isAllowedDestination(host, 3128);
}

it.each<[env: Record<string, string>, execArgv: string[]]>([
  [{ NODE_USE_ENV_PROXY: '1' }, []],
  [{}, ['--use-env-proxy']],
  [{}, ['--enable-source-maps', '--use_env_proxy']],
  [{ NODE_USE_ENV_PROXY: '0' }, ['--use-env-proxy']],
  [{ NODE_OPTIONS: '--use-env-proxy' }, []],
  [{ NODE_OPTIONS: '--max-old-space-size=512  --use_env_proxy' }, []],
  [{ NODE_OPTIONS: '"--use-env-proxy"' }, []],
  [{ NODE_OPTIONS: '--no-use-env-proxy' }, ['--use-env-proxy']],
])('a proxy of outgoing requests is allowed where Node uses it: %j %j', (env, execArgv) => {
  expect(isReached(env, execArgv)).toBe(true);
});

it.each<[env: Record<string, string>, execArgv: string[]]>([
  [{}, []],
  [{ NODE_USE_ENV_PROXY: 'true' }, []],
  [{ NODE_OPTIONS: '--max-old-space-size=512' }, ['--enable-source-maps']],
  [{ NODE_USE_ENV_PROXY: '1' }, ['--no-use-env-proxy']],
  [{ NODE_OPTIONS: '--use-env-proxy' }, ['--no-use-env-proxy']],
  [{ NODE_OPTIONS: '--use-env-proxy --no-use-env-proxy' }, []],
  [{}, ['--use-env-proxy-of-tomorrow']],
])('a proxy of outgoing requests is refused where Node does not use it: %j %j', (env, execArgv) => {
  expect(isReached(env, execArgv)).toBe(false);
});

it('the proxy’s host is case-insensitive, and invalid addresses are ignored', () => {
  allowProxies({ HTTPS_PROXY: 'http://Proxy.internal.example:3128', http_proxy: 'no address' }, ['--use-env-proxy']);
  expect(isAllowedDestination('proxy.internal.example', 3128)).toBe(true);
  expect(isAllowedDestination('proxy.internal.example', 80)).toBe(false);
});
