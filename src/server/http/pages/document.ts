import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { PageHtml } from '#contract/page.ts';
import { textOfMarkup } from '#server/runtime/request/markup.ts';
import { reportDirectives } from '../policy-reports/mount-policy-reports.ts';
import type { PageFiles } from './build-manifest.ts';
import { lateLink, lateNotice, notStartedNotice, tooOldNotice } from './page-notices.ts';

export interface DocumentOptions {
  /** URL of the page for another device; without its query */
  readonly address: string;
  /** the origin of the captcha document, where it is not our own ([Note: Captcha frame]) */
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
 * A page as HTML. Styles are inlined, so that it paints after one round trip. Content comes before everything about
 * scripts: requesting them takes 50 ms on a slow processor, which would delay the first paint, and hydration starts no
 * later if they are requested after it.
 */
export function composeDocument(
  page: PageHtml,
  files: PageFiles,
  { address, captchaOrigin, worker = true }: DocumentOptions,
): PageDocument {
  const style = `${page.style}\n${files.css}`;
  const waits = !page.state.rendered;
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
${waits ? '' : notStartedNotice(page.lang, page.state.messages)}
${page.script && html`<script>${raw(page.script)}</script>`}
${files.preloads.map((file) => html`<link rel="modulepreload" crossorigin href="${file}">`)}
<script type="application/json" id="page-state">${raw(json(page.state))}</script>
<script type="module" src="${files.entry}"></script>
${tooOldNotice(page.lang, address, page.state.messages)}
</body>
</html>`;
  return {
    html: textOfMarkup(document),
    policy: contentPolicy({ style, scripts: [page.firstScript, page.script], captchaOrigin }),
  };
}

export interface Shell {
  readonly policy: string;
}

/** Reads the shell from the build, and computes its policy. */
export function shellOf(html: string, captchaOrigin?: string): Shell {
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
  const scripts = [...html.matchAll(/<script>(.+?)<\/script>/gs)].map(([, text = '']) => text);
  return { policy: contentPolicy({ style, scripts, captchaOrigin }) };
}

/** JSON that cannot end its script element. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`);
}

/**
 * What a page may load: our own scripts, styles, images and API, and its style block and inline scripts by their hashes
 * (CSP Level 3). Sinks that turn text into code accept only values of a named policy (Trusted Types).
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
    'trusted-types marquee-sw',
    ...reportDirectives,
  ].join('; ');
}

interface Inline {
  readonly style: string;
  readonly scripts: readonly string[];
  readonly captchaOrigin: string | undefined;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
