import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '#tests/fixtures/source-tree.ts';

const run = promisify(execFile);
// nothing is sent, and no newer version is searched for
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Rejects with what the program printed where it fails. */
const inProject = (...args: string[]) => run(process.execPath, args, { cwd: root, env });

it('the description of the API is that of the contract (else: npm run openapi)', async () => {
  await inProject('.scripts/openapi/write.ts', '--check');
});

it('the description of the API is valid OpenAPI, by the rules of a linter, without a warning', async () => {
  const linter = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    '--config=.scripts/openapi/redocly.yaml',
    '--format=json',
  ];
  const { stdout } = await inProject(...linter, 'src/contract/openapi.json');
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
});
