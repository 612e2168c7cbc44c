import { html } from 'hono/html';

const headers = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** A page of no brand, for when there is no brand or nothing that could draw one. */
export function neutralPage(status: number, sentence: string, traceId: string): Response {
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${status}</title><body><p>${sentence}</p></body></html>`;
  return new Response(textOfMarkup(page), { status, headers: { ...headers, 'x-request-id': traceId } });
}

/** HTML as `html` makes it, which escapes every value that stands in it. */
export type Markup = ReturnType<typeof html>;

/** Its text, for a response or a mail. Only a value that is a promise, of which we have none, makes `html` return one. */
export function textOfMarkup(markup: Markup): string {
  if (markup instanceof Promise) throw new TypeError('a value of the page is a promise');
  return markup.toString();
}
