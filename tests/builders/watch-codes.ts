import { afterAll, beforeAll, expect } from 'vitest';
import { clearRefusedCodes, wasRefusedWith } from './refused-codes.ts';
import { raisedIn } from './raised-codes.ts';

beforeAll(clearRefusedCodes);

/**
 * Fails a file of `raisedIn` without a refusal by each of its codes, unless some of its tests did not run or failed.
 */
afterAll(({}, { tasks }) => {
  const path = expect.getState().testPath ?? '';
  const named = Object.entries(raisedIn).flatMap(([file, codes]) => (path.endsWith(`/${file}`) ? codes : []));
  if (!tasks.every(hasPassed)) return;
  const missed = named.filter((code) => !wasRefusedWith(code));
  if (missed.length > 0) throw new Error(`no call was refused with ${missed.join(', ')}, as raised-codes.ts says`);
});

interface Ran {
  readonly result?: { readonly state: string } | undefined;
  readonly tasks?: readonly Ran[];
}

function hasPassed({ result, tasks = [] }: Ran): boolean {
  return result?.state === 'pass' && tasks.every(hasPassed);
}
