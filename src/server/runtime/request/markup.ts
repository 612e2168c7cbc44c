import { html } from 'hono/html';

const headers = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** A page without brand styles, for an unknown brand or where rendering is impossible. */
export function neutralPage(status: number, sentence: string, traceId: string): Response {
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${status}</title><body><p>${sentence}</p></body></html>`;
  return new Response(textOfMarkup(page), { status, headers: { ...headers, 'x-request-id': traceId } });
}

/** The result of `html`, which escapes every value in it. */
export type Markup = ReturnType<typeof html>;

/** Its text, for a response or a mail. `html` returns a promise only if a value is one, and we pass none. */
export function textOfMarkup(markup: Markup): string {
  if (markup instanceof Promise) throw new TypeError('a value of the page is a promise');
  return markup.toString();
}
