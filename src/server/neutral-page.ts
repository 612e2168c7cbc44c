const headers = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** A page of no brand, for when there is no brand or nothing that could draw one. `sentence` is ours, never input. */
export function neutralPage(status: number, sentence: string, traceId: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${status}</title><body><p>${sentence}</p></body></html>`;
  return new Response(html, { status, headers: { ...headers, 'x-request-id': traceId } });
}
