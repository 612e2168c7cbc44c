import type { App } from '#server/runtime/request/request-context.ts';
import { requestedHost } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { textOfMarkup } from '#server/runtime/request/markup.ts';
import type { ScriptCaptcha } from './recaptcha.ts';
import { siteKeyPattern } from '#contract/captcha.ts';
import { languages } from '#contract/fields.ts';

/**
 * The script of the framed document. The site key, the page's origin and its language are in the fragment, which is
 * never sent to a server. It posts messages only to that origin, and only if the document lists it or it is the
 * document's own. The height is measured from the visible elements, because a document is never smaller than its frame.
 */
const frameScript = `(() => {
  const place = document.getElementById('captcha');
  const { script, parents } = place.dataset;
  const asked = new URLSearchParams(location.hash.slice(1));
  const page = asked.get('parent') ?? '';
  const known = page !== '' && (page === location.origin || parents.split(' ').includes(page));
  if (parent === window || !known) return;

  const tell = (message) => parent.postMessage(message, page);
  const fail = () => tell({ type: 'failed' });
  const key = asked.get('key') ?? '';
  const language = ${JSON.stringify(languages)}.find((one) => one === asked.get('language')) ?? 'en';
  document.documentElement.lang = language;
  if (!/${siteKeyPattern.source}/.test(key)) return fail();

  let height = 0;
  const measure = () => {
    let bottom = 1;
    for (const element of document.body.children) {
      if (element.localName === 'script' || getComputedStyle(element).visibility === 'hidden') continue;
      bottom = Math.max(bottom, Math.ceil(element.getBoundingClientRect().bottom + scrollY));
    }
    const next = Math.min(bottom + 4, 1000);
    if (next !== height) tell({ type: 'size', height: (height = next) });
  };

  window.captchaIsLoaded = () => {
    try {
      window.grecaptcha.render(place, {
        sitekey: key,
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: (token) => tell({ type: 'token', token: String(token) }),
        'error-callback': fail,
      });
    } catch {
      return fail();
    }
    new ResizeObserver(measure).observe(place);
    new MutationObserver(measure).observe(document.body, { attributes: true, childList: true, subtree: true });
    tell({ type: 'ready' });
    measure();
  };

  const provider = document.createElement('script');
  provider.src = script + '?render=explicit&onload=captchaIsLoaded&hl=' + language;
  provider.addEventListener('error', fail);
  document.head.append(provider);
})();
`;

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

export const framePath = '/captcha/frame';

const scriptHash = createHash('sha256').update(frameScript).digest('base64');
const style = 'html,body{margin:0;background:transparent}body{padding:2px}';

interface FrameDocument {
  readonly html: string;
  readonly policy: string;
}

/**
 * [Note: Captcha frame] The provider's script runs in a document of its own without any data. On the storefront's
 * origin, the page frames it with an opaque origin (`sandbox` without `allow-same-origin`); with `CAPTCHA_ORIGIN`, it
 * has that origin. In both cases third-party code reaches neither session nor storage nor API of the storefront.
 * `origin` is the origin of the request, `parents` are the other origins that may frame the document; each is scheme
 * and host.
 */
function frameDocument(
  { script, sources }: Pick<ScriptCaptcha, 'script' | 'sources'>,
  { origin, parents }: { origin: string; parents: readonly string[] },
): FrameDocument {
  const absolute = (source: string) => (source.startsWith('/') ? `${origin}${source}` : source);
  const list = (known: readonly string[]) => (known.length > 0 ? known.map(absolute).join(' ') : "'none'");
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>Captcha</title>
<style>${raw(style)}</style></head>
<body><main id="captcha" data-script="${absolute(script)}" data-parents="${parents.join(' ')}"></main>
<script>${raw(frameScript)}</script></body></html>`;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}' ${list(sources.script)}`,
    // the provider injects its own styles; the document contains nothing that a style could leak
    "style-src 'unsafe-inline'",
    'img-src https: data:',
    `frame-src ${list(sources.frame)}`,
    `connect-src ${list(sources.connect)}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors 'self' ${parents.join(' ')}`.trimEnd(),
  ].join('; ');
  return { html: textOfMarkup(document), policy };
}
