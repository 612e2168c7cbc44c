import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import { openApiPath } from '#server/http/mount-openapi.ts';
import type { App } from '#server/runtime/request/request-context.ts';

const path = '/api/docs';

/** The files of the viewer that the page loads. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};
const folder = new URL('../../node_modules/swagger-ui-dist/', import.meta.url);

/** The viewer sets styles of elements, and draws icons from data. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const page = html`<!doctype html>
  <html lang="en">
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>API of the storefront</title>
    <link rel="stylesheet" href="${path}/swagger-ui.css" />
    <div id="docs"></div>
    <script src="${path}/swagger-ui-bundle.js"></script>
    <script src="${path}/start.js"></script>
  </html>`;

const start = `SwaggerUIBundle({ url: '${openApiPath}', dom_id: '#docs', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: 0, validatorUrl: null });`;

/**
 * The description of the API as a page, in the demo only. Its buttons "Try it out" call the demo. The viewer is a package
 * for development, so an installation without those has no such page.
 */
export function mountApiDocs(app: App): void {
  const serve = (address: string, type: string, read: () => string | Promise<string>) =>
    app.get(address, async (c) => {
      c.set('route', path);
      return c.body(await read(), 200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
    });
  serve(path, 'text/html', async () => String(await page));
  serve(`${path}/start.js`, 'text/javascript', () => start);
  for (const [name, type] of Object.entries(files)) {
    serve(`${path}/${name}`, type, () => readFile(new URL(name, folder), 'utf8'));
  }
}
