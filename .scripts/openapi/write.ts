// Writes the description of the contract: `npm run openapi`. With `--check` it only fails where the file differs. With
// `--release` it also becomes the released one, with which the version check compares later changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#tests/fixtures/source-tree.ts';
import { describeApi } from './describe-api.ts';

const file = join(root, 'src/contract/openapi.json');
const described = `${JSON.stringify(describeApi(), null, 1)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, described);
else if (readFileSync(file, 'utf8') !== described) {
  console.error('src/contract/openapi.json differs from the contract: run `npm run openapi`');
  process.exitCode = 1;
}
if (process.argv.includes('--release')) writeFileSync(join(root, 'src/contract/released.json'), described);
