import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { textOfMarkup } from '#server/runtime/request/markup.ts';
import { frameScript } from './frame-script.ts';
import type { ScriptCaptcha } from './script-captcha.ts';

export const framePath = '/captcha/frame';

const scriptHash = createHash('sha256').update(frameScript).digest('base64');
const style = 'html,body{margin:0;background:transparent}body{padding:2px}';

export interface FrameDocument {
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
export function frameDocument(
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
