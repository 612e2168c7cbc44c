import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { capabilityCalls } from '#contract/capability-calls.ts';
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

/** The parts of the committed description that the tests read. */
interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content: { 'application/json': { example?: unknown } } }>>;
  readonly parameters: readonly object[];
  readonly security: readonly object[];
}
// as: written by the program of the first test
const { paths } = JSON.parse(readFileSync(described, 'utf8')) as { paths: Record<string, Record<string, Described>> };
const calls = Object.values(paths).flatMap((methods) => Object.values(methods));

it('every call whose result contains a session accepts a DPoP proof, and no other call without a session does', () => {
  const proven = calls.map(({ operationId, responses, parameters, security }) => ({
    operationId,
    takesProof: JSON.stringify(parameters).includes('parameters/Dpop'),
    needsProof:
      JSON.stringify(responses['200']).includes('schemas/UserInfo') || JSON.stringify(security).includes('session'),
  }));
  expect(proven.filter(({ needsProof }) => needsProof).length).toBeGreaterThan(50);
  expect(proven.filter(({ takesProof, needsProof }) => takesProof !== needsProof)).toEqual([]);
});

it('every call that a level requires has an example, which was parsed by its schema', () => {
  const required = Object.values(capabilityCalls).flatMap((level) => level.required);
  const shown = calls.filter(({ responses }) => responses['200']?.content['application/json'].example !== undefined);
  const names = shown.map(({ operationId }) => operationId);
  expect(required.filter((name) => !names.includes(name))).toEqual([]);
});
