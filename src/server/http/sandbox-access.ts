import type { Context } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import { requestedHost } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import { isFromPrivateNetwork } from '#server/runtime/request/local-caller.ts';

/** Where the sandbox's captcha answers the document that shows it. */
export const sandboxCaptchaPaths = { script: '/sandbox/captcha/api.js', token: '/sandbox/captcha/token' } as const;

type SandboxAccessDeps = Pick<Deps, 'env' | 'catalog'>;

/**
 * [Note: Sandbox access] Everything pretended that a browser or a program can reach lies under these two: the bank, the
 * desk, Google, PayPal, the captcha, and the mailbox of the whole world. They let anyone sign in as anyone, so they
 * exist where the sandbox is on, for hosts of a brand, and for callers on this machine and in private networks. Anybody
 * else is told that there is nothing, whichever of the three is missing.
 */
export function isSandboxPath(path: string): boolean {
  return /^\/(sandbox|dev)(\/|$)/.test(path);
}

export function maySeeSandbox(c: Context<AppEnv>, { env, catalog }: SandboxAccessDeps): boolean {
  if (!env.SANDBOX || !(env.SANDBOX_PUBLIC || isFromPrivateNetwork(c, env))) return false;
  const host = requestedHost(c, env);
  return host !== undefined && (catalog.byHost(host.name) !== undefined || isCaptchaPlace(c, env));
}

/** The captcha's document has an origin of its own, where no brand lives; its script and its answers come from there. */
export function isCaptchaPlace(c: Context<AppEnv>, env: SandboxAccessDeps['env']): boolean {
  const { SANDBOX, SANDBOX_CAPTCHA, CAPTCHA_ORIGIN } = env;
  if (!SANDBOX || !SANDBOX_CAPTCHA || CAPTCHA_ORIGIN === undefined) return false;
  const { method, path } = c.req;
  const isItsOwn = path === (method === 'POST' ? sandboxCaptchaPaths.token : sandboxCaptchaPaths.script);
  const host = requestedHost(c, env);
  return isItsOwn && host !== undefined && new URL(host.origin).host === new URL(CAPTCHA_ORIGIN).host;
}
