// Writes TypeScript types of every call: `npm run contract:client -- <file>`, by default dist/contract-client.d.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '#tests/fixtures/source-tree.ts';

// openapi-typescript prints with the compiler API of TypeScript 5 and 6
registerHooks({
  resolve(specifier, context, next) {
    const isReplaced = specifier === 'typescript' && context.parentURL?.includes('/node_modules/openapi-typescript/');
    return next(isReplaced ? new URL('typescript-api.ts', import.meta.url).href : specifier, context);
  },
});
const { astToString, default: openapiTypes } = await import('openapi-typescript');

const [path = join(root, 'dist/contract-client.d.ts')] = process.argv.slice(2);
// npm runs scripts in the folder of the package
const file = resolve(process.env['INIT_CWD'] ?? '', path);
const source = pathToFileURL(join(root, 'src/contract/openapi.json'));
// a field with a default may be left out of a request
const types = await openapiTypes(source, { defaultNonNullable: false });
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `// Written by npm run contract:client.\n${astToString(types)}`);
console.info(`Wrote ${file}`);
