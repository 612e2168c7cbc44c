import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Attack } from './attack/attack.ts';

/**
 * `npm run verify:attack`: runs every attack of `tests/tools/verify/attack/` against real servers and databases. Exits
 * with 1 when one of them succeeds. `-- --only=` runs one by its file name.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const folder = new URL('attack/', import.meta.url);
const suffix = '.attack.ts';
const names = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .filter((name) => values.only === undefined || name === values.only);
if (names.length === 0) throw new Error(`there is no attack called ${values.only ?? 'anything'}`);

let failed = 0;
for (const name of names) {
  // as: each file of the folder exports one attack under this name
  const { attack } = (await import(new URL(`${name}${suffix}`, folder).href)) as { attack: Attack };
  const started = performance.now();
  console.info(`${name}: ${attack.holds}`);
  const failure = await attack
    .run((line) => console.info(`    ${line}`))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (failure !== undefined) {
    failed += 1;
    console.info(failure);
  }
  console.info(
    `    ${failure === undefined ? 'passed' : 'FAILED'}, ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
}
console.info(`${names.length - failed} of ${names.length} passed`);
// a timer of the embedded database would keep the process running
process.exit(failed > 0 ? 1 : 0);
