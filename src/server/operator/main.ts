import { assertNode } from '../assert-node.ts';

assertNode();
// read after the guard, because an old Node cannot even load what follows
const { operate } = await import('./operator.ts');
process.exitCode = await operate(process.argv.slice(2), process.env, {
  clock: Date.now,
  print: (line) => process.stdout.write(`${line}\n`),
  explain: (line) => process.stderr.write(`${line}\n`),
});
