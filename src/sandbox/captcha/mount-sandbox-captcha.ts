import { bodyLimit } from 'hono/body-limit';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { apiScript } from './api-script.ts';
import { makeToken, sandboxPaths, sandboxSiteKey, siteVerifyAnswer } from './provider.ts';

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
