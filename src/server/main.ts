import { parseArgs } from 'node:util';
import { assertNode } from '#server/runtime/assert-node.ts';
import { resolveQuickly } from '#server/runtime/quick-resolve.ts';

assertNode();
resolveQuickly();
// imported after the check, because an old version of Node cannot even load what follows
const { start } = await import('./start.ts');
const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } });
await start({ dev: values.dev, environment: process.env });
