import type { App } from '#server/runtime/request/request-context.ts';
import { requestedHost } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import { frameDocument, framePath } from './frame-document.ts';

/** GET /captcha/frame ([Note: Captcha frame]). 404 without a provider, and on any other origin. */
export function mountCaptchaFrame(app: App, deps: Deps): void {
  app.get(framePath, (c) => {
    c.set('route', framePath);
    const { scriptCaptcha } = deps;
    const place = scriptCaptcha && placeOf(requestedHost(c, deps.env), deps);
    if (!scriptCaptcha || !place) return c.text('Not found', 404);
    const { html, policy } = frameDocument(scriptCaptcha, place);
    return c.body(html, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      // the provider checks the site's origin; the rest of the URL is not sent
      'Referrer-Policy': 'strict-origin',
      'Cache-Control': 'no-cache',
    });
  });
}

type Host = NonNullable<ReturnType<typeof requestedHost>>;

/**
 * The document's origin, and the origins that may frame it. `CAPTCHA_ORIGIN` is used only if no brand has that host:
 * the frame keeps that origin, so it must have no session or storage of a storefront.
 */
function placeOf(host: Host | undefined, { env, catalog }: Deps): { origin: string; parents: string[] } | undefined {
  if (!host) return undefined;
  const brand = catalog.byHost(host.name);
  if (env.CAPTCHA_ORIGIN === undefined) return brand && { origin: host.origin, parents: [] };
  const own = new URL(env.CAPTCHA_ORIGIN);
  if (brand || new URL(host.origin).host !== own.host) return undefined;
  const sameHostOrigins = catalog
    .all()
    .flatMap(({ hosts }) => hosts.map((name) => `${own.protocol}//${name}${port(own)}`));
  const parents = new Set([...catalog.all().map((one) => one.origin), ...sameHostOrigins]);
  // the values go into a header and an attribute, so any other form of origin (also an IPv6 address) is left out
  return { origin: own.origin, parents: [...parents].filter((one) => /^https?:\/\/[a-z0-9.:-]+$/.test(one)) };
}

const port = (url: URL) => (url.port === '' ? '' : `:${url.port}`);
