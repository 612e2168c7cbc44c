import { bodyLimit } from 'hono/body-limit';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { recaptcha, type ScriptCaptcha } from '#server/auth/captcha/recaptcha.ts';
import { sandboxCaptchaPaths } from '#server/http/restricted-access.ts';
import { consumeOnce } from '#server/runtime/limits/throttle.ts';

/** The framed document may have an opaque origin, so every origin may read the provider's answers. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Mounts the sandbox provider of a script captcha: its script, its answers, and their verification. */
export function mountSandboxCaptcha(app: App, deps: Deps): void {
  if (!deps.env.SANDBOX_CAPTCHA) return;
  const smallForm = bodyLimit({ maxSize: 8192, onError: () => new Response('Too much', { status: 413 }) });

  app.get(sandboxPaths.script, (c) => {
    c.set('route', sandboxPaths.script);
    return new Response(apiScript, { headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8' } });
  });
  app.post(sandboxPaths.token, smallForm, async (c) => {
    c.set('route', sandboxPaths.token);
    const form = new URLSearchParams(await c.req.text());
    if (form.get('sitekey') !== sandboxSiteKey) return new Response('No such site', { status: 400, headers });
    return Response.json({ token: makeToken(deps) }, { headers });
  });
  app.post(sandboxPaths.verify, smallForm, (c) => {
    c.set('route', sandboxPaths.verify);
    return siteVerifyAnswer(deps, c.req.raw);
  });
}

/**
 * The provider's script: `grecaptcha.render(element, { sitekey, callback, 'expired-callback', 'error-callback' })`, the
 * part of reCAPTCHA v2 that is used (developers.google.com/recaptcha/docs/display). One checkbox, labelled by the
 * provider.
 */
const apiScript = `(() => {
  const own = new URL(document.currentScript.src);
  const words = { en: 'I am a person', pt: 'Sou uma pessoa', es: 'Soy una persona', ru: 'Я человек' };
  const label = words[own.searchParams.get('hl')] ?? words.en;
  const goodForMs = 120000;

  const render = (element, options) => {
    const row = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    row.style.cssText = 'display:flex;align-items:center;gap:12px;min-height:56px;padding:8px 14px;box-sizing:border-box;'
      + 'max-width:304px;border:1px solid GrayText;border-radius:10px;font:1rem/1.4 system-ui,sans-serif;cursor:pointer';
    box.style.cssText = 'width:24px;height:24px;margin:0;flex:none';
    row.append(box, label);
    element.replaceChildren(row);
    const open = () => { box.checked = false; box.disabled = false; };
    box.addEventListener('change', async () => {
      box.disabled = true;
      try {
        const answer = await fetch(new URL('token', own), { method: 'POST', body: new URLSearchParams({ sitekey: options.sitekey }) });
        if (!answer.ok) throw new Error(String(answer.status));
        options.callback((await answer.json()).token);
        setTimeout(() => { open(); options['expired-callback']?.(); }, goodForMs);
      } catch {
        open();
        options['error-callback']?.();
      }
    });
    return 0;
  };

  window.grecaptcha = { render };
  window[own.searchParams.get('onload')]?.();
})();
`;

type CaptchaDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'env'>;

/** Lifetime of an answer, in milliseconds: two minutes, as reCAPTCHA's. */
const tokenLifetimeMs = 2 * 60 * 1000;

const sandboxSiteKey = 'sandbox-captcha-key';
const sandboxPaths = {
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
function makeToken({ clock, random, env }: CaptchaDeps): string {
  const claim = `${random.token(12)}.${clock() + tokenLifetimeMs}`;
  return `${claim}.${signature(env.SIGNING_SECRET, claim)}`;
}

/** `siteverify` (developers.google.com/recaptcha/docs/verify): each answer is valid once, and for two minutes. */
async function siteVerifyAnswer(deps: CaptchaDeps, request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  if (!same(form.get('secret') ?? '', sandboxSecret(deps.env.SIGNING_SECRET))) return refused('invalid-input-secret');
  const [id = '', until = '', signed = ''] = (form.get('response') ?? '').split('.');
  const claim = `${id}.${until}`;
  if (!same(signed, signature(deps.env.SIGNING_SECRET, claim))) return refused('invalid-input-response');
  const validUntil = Number(until);
  const fresh = validUntil > deps.clock();
  const first = fresh && (await consumeOnce(deps.db, { brand: 'sandbox', id: `captcha ${id}`, validUntil }));
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
