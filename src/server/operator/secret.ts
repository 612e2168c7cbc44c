import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../env.ts';
import { OperatorError } from './command.ts';

/**
 * The secret of the shop, as it has it. Never makes one: a secret that the shop does not have would sign tokens that
 * nobody believes.
 */
export function shopSecret({ SIGNING_SECRET, DATA_DIR }: Settings): { SIGNING_SECRET: string } {
  return { SIGNING_SECRET: SIGNING_SECRET ?? readSecret(join(DATA_DIR, 'secret')) };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
    throw new OperatorError(
      `There is no secret at ${file} yet. Start the shop once, or set SIGNING_SECRET or DATA_DIR as the shop has them.`,
    );
  }
}
