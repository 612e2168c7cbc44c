// Prints the Content-Security-Policy of the built storefront for a web server of your own. It changes with each build,
// because it names the hashes of the scripts inside index.html.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellOf } from '#server/http/pages/document.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The policy of `dist/site/index.html`, without the directives that send reports to our own server. */
export function staticPagePolicy(): string {
  const { policy } = shellOf(readFileSync(join(root, 'dist/site/index.html'), 'utf8'));
  return policy
    .split('; ')
    .filter((directive) => !directive.startsWith('report-'))
    .join('; ');
}

if (import.meta.main) process.stdout.write(`${staticPagePolicy()}\n`);
