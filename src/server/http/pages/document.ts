import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { PageHtml } from '../../../contract/page.ts';
import { textOfMarkup, type Markup } from '../../request/markup.ts';
import { reportDirectives } from '../policy-reports/mount-policy-reports.ts';
import type { PageFiles } from './build-manifest.ts';
import { lateLink, lateNotice, tooOldNotice } from './page-notices.ts';

export interface DocumentOptions {
  /** of the page, for another device; without its query */
  readonly address: string;
  readonly userAgent?: string | undefined;
  /** where the captcha's document stands, if not with us ([Note: Captcha frame]) */
  readonly captchaOrigin?: string | undefined;
  /** whether the page may have a service worker ([Note: Worker off]) */
  readonly worker?: boolean | undefined;
}

export interface PageDocument {
  readonly html: string;
  /** the page's Content-Security-Policy */
  readonly policy: string;
}

/**
 * A page as HTML. Styles are inside it, so that it paints after one round trip. What is read comes before everything about
 * scripts: asking for them takes a slow processor 50 ms, which the first paint would wait for, and life comes no later when
 * they are asked for behind it. They run last, after the import map, which has to be read before anything is imported. See
 * `readsLaterMaps` for how they are asked for.
 */
export function composeDocument(
  page: PageHtml,
  files: PageFiles,
  { address, userAgent = '', captchaOrigin, worker = true }: DocumentOptions,
): PageDocument {
  const style = `${page.style}\n${files.css}`;
  const [waits, later] = [!page.state.rendered, readsLaterMaps(userAgent)];
  // A page that the browser draws may be any.
  const map = (later && !waits && files.shortMap) || { text: files.importMap };
  const maps = new Set([map.text, files.importMap]);
  const integrityOf = (file: string) =>
    Object.hasOwn(files.integrity, file) ? html` integrity="${files.integrity[file]}"` : '';
  const asked = raw(later ? 'rel="modulepreload"' : 'rel="preload" as="script"');
  const document = html`<!doctype html>
<html lang="${page.lang}" dir="ltr"${page.screen === 'TV' ? raw(' data-screen="TV"') : ''}${worker ? '' : raw(' data-worker="off"')}>
<head>
<meta charset="utf-8">
<script>${raw(page.firstScript)}</script>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
${raw(page.head)}${waits ? lateLink : ''}
<style>${raw(style)}</style>
${files.sheets.map((sheet) => html`<link rel="stylesheet" href="${sheet}" disabled>`)}
</head>
<body>
<div id="root">${raw(page.body)}${waits ? lateNotice(page.lang, page.state.messages) : ''}</div>
${page.script && html`<script>${raw(page.script)}</script>`}
${files.preloads.map((file) => html`<link ${asked} crossorigin href="${file}"${integrityOf(file)}>`)}
<script type="application/json" id="page-state">${raw(json(page.state))}</script>
${importMapTag(map)}
<script type="module" src="${files.entry}"${integrityOf(files.entry)}></script>
${later ? '' : tooOldNotice(page.lang, address, page.state.messages)}
</body>
</html>`;
  return {
    html: textOfMarkup(document),
    policy: contentPolicy({ style, scripts: [page.firstScript, page.script, ...maps], captchaOrigin }),
  };
}

function importMapTag({ text, rest }: { text: string; rest?: string }): Markup | '' {
  const attribute = rest === undefined ? '' : html` data-rest="${rest}"`;
  return text && html`<script type="importmap"${attribute}>${raw(text)}</script>`;
}

/**
 * Whether an engine reads an import map after it has begun to load a module, and a second one (Chrome 133). Modules can
 * then be asked for as such, and Chrome compiles them as they come ([Note: Compiled early]), and a map brings the hashes of
 * its page only ([Note: Hashes for later]). Others would ignore the map; they ask for plain files, as does whoever does not say.
 */
export function readsLaterMaps(userAgent: string): boolean {
  return Number(/Chrome\/(\d{1,4})\./.exec(userAgent)?.[1] ?? 0) >= 133;
}

export interface Shell {
  readonly policy: string;
}

/** The policy of the shell that the build wrote ([Note: Kept shell]). */
export function shellOf(html: string, captchaOrigin?: string): Shell {
  const inside = (element: RegExp) => element.exec(html)?.[1] ?? '';
  const style = inside(/<style>(.*?)<\/style>/s);
  return {
    policy: contentPolicy({
      style,
      scripts: [inside(/<script>(.+?)<\/script>/s), inside(/<script type="importmap">(.+?)<\/script>/s)],
      captchaOrigin,
    }),
  };
}

/** JSON that cannot end the script element it stands in. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`);
}

/**
 * What a page may load: our own scripts, styles, pictures and API, and its style block, first script and import maps by their hashes
 * (CSP Level 3). Sinks that turn text into code take only values of a named policy (Trusted Types).
 */
function contentPolicy({ style, scripts, captchaOrigin = '' }: Inline): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.filter(Boolean).map(hashOf)].join(' '),
    `style-src 'self' ${hashOf(style)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${captchaOrigin}`.trimEnd(),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types marquee-sw marquee-hashes',
    ...reportDirectives,
  ].join('; ');
}

interface Inline {
  readonly style: string;
  readonly scripts: readonly string[];
  readonly captchaOrigin: string | undefined;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
