import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '#tests/fixtures/source-tree.ts';

const run = promisify(execFile);
const described = `${root}/src/contract/openapi.json`;
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

it('every call whose result contains a session accepts a DPoP proof, and no other call without a session does', () => {
  // as: the parts of the committed description that the test reads
  const { paths } = JSON.parse(readFileSync(described, 'utf8')) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, object>; parameters: object[]; security: object[] }>
    >;
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ responses, parameters, security }) => ({
      path,
      takesProof: JSON.stringify(parameters).includes('parameters/Dpop'),
      needsProof:
        JSON.stringify(responses['200']).includes('schemas/UserInfo') || JSON.stringify(security).includes('session'),
    })),
  );
  expect(calls.filter(({ needsProof }) => needsProof).length).toBeGreaterThan(50);
  expect(calls.filter(({ takesProof, needsProof }) => takesProof !== needsProof)).toEqual([]);
});
