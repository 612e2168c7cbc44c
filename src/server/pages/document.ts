import { createHash } from 'node:crypto';
import type { PageHtml } from '../../contract/page.ts';
import { reportDirectives } from '../policy-reports/mount-policy-reports.ts';
import type { PageFiles } from './build-manifest.ts';

export interface PageDocument {
  readonly html: string;
  /** the page's Content-Security-Policy */
  readonly policy: string;
}

/**
 * A page as HTML. Styles are inside it, so that it paints after one round trip; scripts come last, and before them the
 * import map, which has to be read before anything is imported: there its bytes hold up no paint. `captchaOrigin` is
 * where the captcha's document stands, if not with us ([Note: Captcha frame]).
 */
export function composeDocument(page: PageHtml, files: PageFiles, captchaOrigin?: string): PageDocument {
  const style = `${page.style}\n${files.css}`;
  const { importMap } = files;
  const integrityOf = (file: string) =>
    Object.hasOwn(files.integrity, file) ? ` integrity="${files.integrity[file]}"` : '';
  const html = `<!doctype html>
<html lang="${page.lang}"${page.screen === 'TV' ? ' data-screen="TV"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
${page.head}
<style>${style}</style>
${files.sheets.map((sheet) => `<link rel="stylesheet" href="${sheet}" disabled>`).join('')}
</head>
<body>
<div id="root">${page.body}</div>
<script type="application/json" id="page-state">${json(page.state)}</script>
${importMap && `<script type="importmap">${importMap}</script>`}
${files.preloads.map((file) => `<link rel="modulepreload" href="${file}"${integrityOf(file)}>`).join('')}
<script type="module" src="${files.entry}"${integrityOf(files.entry)}></script>
</body>
</html>`;
  return { html, policy: contentPolicy({ style, importMap, captchaOrigin }) };
}

/** JSON that cannot end the script element it stands in. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`);
}

/**
 * What a page may load: our own scripts, styles, pictures and API, and its style block and import map by their hashes
 * (CSP Level 3). Sinks that turn text into code take only values of a named policy (Trusted Types).
 */
function contentPolicy({ style, importMap, captchaOrigin = '' }: Inline): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${importMap && hashOf(importMap)}`.trimEnd(),
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
  readonly importMap: string;
  readonly captchaOrigin: string | undefined;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
