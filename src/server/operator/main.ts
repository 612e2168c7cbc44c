import { assertNode } from '#server/runtime/assert-node.ts';
import { resolveQuickly } from '#server/runtime/quick-resolve.ts';

assertNode();
resolveQuickly();
// read after the guard, because an old Node cannot even load what follows
const { operate } = await import('./operator.ts');
const { createInterface } = await import('node:readline/promises');

// whoever reads may have seen enough, as `head` has
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** One question at the keyboard. */
async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}

process.exitCode = await operate(process.argv.slice(2), process.env, {
  clock: Date.now,
  print: (line) => process.stdout.write(`${line}\n`),
  explain: (line) => process.stderr.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
});
