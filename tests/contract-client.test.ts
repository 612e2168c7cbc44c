import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './fixtures/source-tree.ts';

const run = promisify(execFile);

let folder = '';
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--pretty', 'false'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-client-'));
  await run(process.execPath, [join(root, '.scripts/openapi/write-client.ts'), join(folder, 'client.d.ts')]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

/** A program of an app that calls the API with the types. */
const preface = `
import type { components, operations } from './client.js';
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Body<Name extends keyof operations> = Json<NonNullable<operations[Name]['requestBody']>>;
type Result<Name extends keyof operations> = Json<operations[Name]['responses'][200]>;
declare function call<Name extends keyof operations>(name: Name, body: Body<Name>): Result<Name>;
`;

/** What the compiler says about the program. */
async function compile(name: string, program: string): Promise<string> {
  const file = join(folder, `${name}.ts`);
  await writeFile(file, preface + program);
  // as: a failed program rejects with its output
  return run(process.execPath, [compiler, ...options, file], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe('The types of the contract for other programs', () => {
  const card = `const card: Body<'deleteCard'> = { cardId: 'c1' };`;

  it('compile in the strictest mode, with a call and its result', async () => {
    const program = `
      ${card}
      call('deleteCard', card);
      const plan: components['schemas']['Plan'] = call('listPlans', undefined as never).data.plans[0]!;
      const amount: number = plan.price.amount;
      console.info(amount);
    `;
    expect(await compile('right', program)).toBe('');
  });

  it('refuse a wrong field, a missing one and one of a wrong type', async () => {
    const program = `
      call('deleteCard', { cardId: 'c1', card: 'c1' });
      call('deleteCard', {});
      call('deleteCard', { cardId: 1 });
      call('deleteCards', { cardId: 'c1' });
    `;
    const found = [...(await compile('wrong', program)).matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) =>
      Number(line),
    );
    const first = preface.split('\n').length;
    expect(found).toEqual([0, 1, 2, 3].map((index) => first + 1 + index));
  });
});
