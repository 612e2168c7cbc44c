import type { Deps } from '../deps.ts';
import { sandboxCaptcha } from '../sandbox/captcha/provider.ts';
import { googleRecaptcha, recaptcha } from './recaptcha.ts';
import type { ScriptCaptcha } from './script-captcha.ts';

/** The script captcha of this installation: the real one, the sandbox's where that is asked for, or none. */
export function openScriptCaptcha(base: Pick<Deps, 'db' | 'clock' | 'random' | 'env' | 'log'>): ScriptCaptcha | null {
  const { env, log } = base;
  const { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET: secret } = env;
  if (siteKey !== undefined && secret !== undefined) {
    return recaptcha({ ...googleRecaptcha, siteKey, secret, log, send: (request) => fetch(request) });
  }
  return env.SANDBOX && env.SANDBOX_CAPTCHA ? sandboxCaptcha(base) : null;
}
