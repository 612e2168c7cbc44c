import { html, raw } from 'hono/html';
import { textOfMarkup } from '#server/runtime/request/markup.ts';
import { createHash } from 'node:crypto';

/** Headers of a sandbox page: one style block, the icon, forms to this origin, and nothing else. */
export function headersFor(style: string) {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return {
    'content-type': 'text/html; charset=UTF-8',
    // form-action also covers a form's redirect; the return to the storefront is on this origin
    'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  } as const;
}

/** The bank's pages: plain HTML, no script, readable at any width. In English, as the sandbox's documentation. */
export interface PageButton {
  readonly action: string;
  readonly label: string;
  readonly primary: boolean;
}

export interface BankPage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly rows?: readonly (readonly [string, string])[];
  readonly buttons?: readonly PageButton[];
  readonly back?: string;
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
header { padding: 1rem; border-bottom: 1px solid GrayText; font-weight: 600; }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button, .back { min-height: 48px; border-radius: 10px; border: 1px solid currentColor; font: inherit; font-weight: 600;
  padding: .6rem 1rem; background: transparent; color: inherit; cursor: pointer; text-align: center; }
button.primary { background: #163a64; border-color: #163a64; color: #fff; }
.back { display: block; margin-top: 1.5rem; text-decoration: none; }
:focus-visible { outline: 3px solid #1f6feb; outline-offset: 2px; }`;

/** The text of the one style block, for the hash in the page's policy. */
export const pageStyle = style;

/** Headers of `bankPage` and similar pages. */
export const pageHeaders = headersFor(pageStyle);

export function bankPage({ title, lines, rows = [], buttons = [], back }: BankPage): string {
  const facts = rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  const actions = buttons.map(
    ({ action, label, primary }) =>
      html`<button name="action" value="${action}"${primary ? raw(' class="primary"') : ''}>${label}</button>`,
  );
  return textOfMarkup(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox Bank</title><meta name="robots" content="noindex"><style>${raw(style)}</style></head>
<body><header>Sandbox Bank · no real money</header><main><h1>${title}</h1>
${lines.map((line) => html`<p>${line}</p>`)}
${facts.length > 0 ? html`<dl>${facts}</dl>` : ''}
${actions.length > 0 ? html`<form method="post">${actions}</form>` : ''}
${back ? html`<a class="back" href="${back}">Back to the shop</a>` : ''}
</main></body></html>`);
}
