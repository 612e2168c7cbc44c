import { readFileSync } from 'node:fs';
import type { App } from '#server/runtime/request/request-context.ts';

export const openApiPath = '/api/openapi.json';

/** Serves the description of the contract, which `npm run openapi` writes. It is the same for every brand. */
export function mountOpenApi(app: App): void {
  const description = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8');
  app.get(openApiPath, (c) => {
    c.set('route', openApiPath);
    return c.body(description, 200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    });
  });
}
