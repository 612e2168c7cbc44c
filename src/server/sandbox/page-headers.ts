import { createHash } from 'node:crypto';
import { pageStyle } from './page-html.ts';

/** With a page of the sandbox: its one style block, forms that stay here, and nothing else. */
export function headersFor(style: string) {
  const styleHash = createHash('sha256').update(style).digest('base64');
  return {
    'content-type': 'text/html; charset=UTF-8',
    // A form's redirect counts as its target too, and the way back leads to the shop on this origin.
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  } as const;
}

/** With every page of `page-html.ts`. */
export const pageHeaders = headersFor(pageStyle);
