import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { PageHtml } from '#contract/page.ts';
import { textOfMarkup, type Markup } from '#server/runtime/request/markup.ts';
import { reportDirectives } from '../policy-reports/mount-policy-reports.ts';
import type { PageFiles } from './build-manifest.ts';
import { encode } from 'uqr';
import type { I18n } from '@lingui/core';
import type { BrandMessages } from '#contract/brand-messages.ts';
import type { Language } from '#contract/fields.ts';
import { i18nIn } from '#server/brand/i18n.ts';

interface DocumentOptions {
  /** URL of the page for another device; without its query */
  readonly address: string;
  /** the origin of the captcha document, where it is not our own ([Note: Captcha frame]) */
  readonly captchaOrigin?: string | undefined;
  /** whether the page may have a service worker ([Note: Worker off]) */
  readonly worker?: boolean | undefined;
  /** a sentence shown in a shell until the browser renders; plain text */
  readonly notice?: string | undefined;
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
  { address, captchaOrigin, worker = true, notice }: DocumentOptions,
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
<div id="root">${notice && html`<p>${notice}</p>`}${waits ? lateNotice(page.lang, page.state.messages) : ''}${raw(page.body)}</div>
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

/** Uses only the brand's texts with ids `page.*` that are plain strings, because these pages need no others. */
function i18nWith(language: Language, words: BrandMessages): I18n {
  const own = Object.entries(words).filter((entry): entry is [string, string] => {
    const [id, text] = entry;
    return id.startsWith('page.') && typeof text === 'string';
  });
  return i18nIn(language, own.length > 0 ? { wordings: { [language]: Object.fromEntries(own) } } : {});
}

/** Shown until the browser has rendered the page that the server was too busy to render. */
export function busyNotice(language: Language, words: BrandMessages): string {
  const i18n = i18nWith(language, words);
  return i18n._({
    id: 'page.busy',
    message: 'We’re very busy right now. This page opens in a few seconds.',
  });
}

/**
 * The placeholder of a page that the browser has yet to render: first a loading indicator and, after a delay, what to
 * do if scripts are off, did not arrive, or are too new for this browser. Shown by CSS alone (`.late` in
 * ui/tokens.css); without scripts noscript.css shows it at once. The app replaces it, and what all customers see of
 * their page, which follows it. The English text is also in index.html, for the shell without a language.
 */
function lateNotice(language: Language, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.late',
    message: 'This page hasn’t loaded. It needs JavaScript and a connection.',
  });
  const again = i18n._({ id: 'page.late.again', message: 'Reload' });
  const plans = i18n._({ id: 'page.late.plans', message: 'See plans' });
  return html`<div class="late"><p>${says}</p><p><a href="">${again}</a> · <a href="/pricing-table">${plans}</a></p></div>`;
}

const lateLink = html`<noscript><link rel="stylesheet" href="/noscript.css"></noscript>`;

/**
 * The notice of a rendered page whose scripts do not start within 5 s, or fail ([Note: Start guard]). Shown by CSS
 * alone (`.not-started` in ui/tokens.css), so it needs no script.
 */
function notStartedNotice(language: Language, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.notStarted',
    message: 'This page didn’t load completely, so its buttons may not work.',
  });
  const again = i18n._({ id: 'page.late.again', message: 'Reload' });
  const otherwise = i18n._({
    id: 'page.notStarted.else',
    message: 'If that doesn’t help, open it in another browser.',
  });
  return html`<aside class="not-started" role="status" tabindex="-1"><p>${says} <a href="">${again}</a>. ${otherwise}</p></aside>`;
}

/** The light margin of the QR code in modules; scanners need four. */
const quietZone = 4;

/**
 * For engines that cannot run the storefront: use a phone instead, with a QR code of this page. It is in every page
 * except for engines known to be current, and visible only in old engines: `ui/tokens.css` uses the same condition as
 * the entry. `address` has no query, so no secret.
 */
function tooOldNotice(language: Language, address: string, words: BrandMessages): Markup {
  const i18n = i18nWith(language, words);
  const says = i18n._({
    id: 'page.tooOld',
    message: 'This browser is too old to buy here. Scan the code with a newer phone to open this page there.',
  });
  const { size, data } = encode(address, { ecc: 'L', border: quietZone });
  return html`<aside class="too-old"><p>${says}</p><svg viewBox="0 -.5 ${size} ${size}" role="img" aria-label="QR"><path fill="#fff" d="M0-.5h${size}v${size}H0z"/><path stroke="#000" d="${runs(data)}"/></svg></aside>`;
}

/** One line of the path for each run of adjacent dark modules. */
function runs(rows: readonly (readonly boolean[])[]): string {
  const lines = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${end - x}`];
    }),
  );
  return lines.join('');
}
