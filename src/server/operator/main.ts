import { assertNode } from '#server/runtime/assert-node.ts';
import { resolveQuickly } from '#server/runtime/quick-resolve.ts';

assertNode();
resolveQuickly();
// imported after the check, because an old version of Node cannot even load what follows
const { runOperatorCommand } = await import('./operator.ts');
const { createInterface } = await import('node:readline/promises');

// the reader of a pipe may close it early, as `head` does
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** One prompt at the terminal. */
async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}

process.exitCode = await runOperatorCommand(process.argv.slice(2), process.env, {
  clock: Date.now,
  print: (line) => process.stdout.write(`${line}\n`),
  explain: (line) => process.stderr.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
});
