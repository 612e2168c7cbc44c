import { createHmac, timingSafeEqual } from 'node:crypto';
import { recaptcha } from '#server/auth/captcha/recaptcha.ts';
import type { ScriptCaptcha } from '#server/auth/captcha/script-captcha.ts';
import type { Deps } from '#server/deps.ts';
import { sandboxCaptchaPaths } from '#server/http/sandbox-access.ts';
import { consumeOnce } from '#server/runtime/limits/consume-once.ts';

type CaptchaDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'env'>;

/** Lifetime of an answer, in milliseconds: two minutes, as reCAPTCHA's. */
export const tokenLifetimeMs = 2 * 60 * 1000;

export const sandboxSiteKey = 'sandbox-captcha-key';
export const sandboxPaths = {
  ...sandboxCaptchaPaths,
  verify: '/sandbox/captcha/siteverify',
} as const;

/** The sandbox provider as the server uses it: the protocol of reCAPTCHA, in process. */
export function sandboxCaptcha(deps: CaptchaDeps & Pick<Deps, 'log'>): ScriptCaptcha {
  const { script, token, verify } = sandboxPaths;
  return recaptcha({
    siteKey: sandboxSiteKey,
    secret: sandboxSecret(deps.env.SIGNING_SECRET),
    script,
    sources: { script: [script], frame: [], connect: [token] },
    // a reserved domain that never resolves: the request stays in this process
    verifyAt: `http://sandbox.invalid${verify}`,
    send: (request) => siteVerifyAnswer(deps, request),
    log: deps.log,
  });
}

/** The server's secret at the sandbox provider. */
const sandboxSecret = (secret: string) => signature(secret, 'secret');

/** A valid answer, issued when the visitor ticks the checkbox. */
export function makeToken({ clock, random, env }: CaptchaDeps): string {
  const claim = `${random.token(12)}.${clock() + tokenLifetimeMs}`;
  return `${claim}.${signature(env.SIGNING_SECRET, claim)}`;
}

/** `siteverify` (developers.google.com/recaptcha/docs/verify): each answer is valid once, and for two minutes. */
export async function siteVerifyAnswer(deps: CaptchaDeps, request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  if (!same(form.get('secret') ?? '', sandboxSecret(deps.env.SIGNING_SECRET))) return refused('invalid-input-secret');
  const [id = '', until = '', signed = ''] = (form.get('response') ?? '').split('.');
  const claim = `${id}.${until}`;
  if (!same(signed, signature(deps.env.SIGNING_SECRET, claim))) return refused('invalid-input-response');
  const goodUntil = Number(until);
  const fresh = goodUntil > deps.clock();
  const first = fresh && (await consumeOnce(deps.db, { brand: 'sandbox', id: `captcha ${id}`, goodUntil }));
  return first ? Response.json({ success: true, hostname: 'sandbox' }) : refused('timeout-or-duplicate');
}

const refused = (code: string) => Response.json({ success: false, 'error-codes': [code] });

function signature(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`sandbox captcha ${text}`).digest('base64url');
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
