import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

let cli: OperatorDemo;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-reconcile-days-'));
  cli = await startOperatorDemo();
}, 60_000);
afterAll(async () => {
  await cli?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a file of days without times has its last day to the end', async () => {
  cli.shop.clock.now = Date.UTC(2027, 3, 15, 11, 30);
  const [ana] = await cli.shop.buyers(1);
  await ana?.pay();
  const file = join(folder, 'bank.csv');
  writeFileSync(file, 'Ref,Value,Cur,Day\nTHEIRS,7.00,BRL,2027-04-10\nOTHERS,8.00,BRL,2027-04-15\n');
  const columns = ['reference=Ref', 'amount=Value', 'currency=Cur', 'date=Day'].map(
    (pair) => `--${pair.replace('=', '-column=')}`,
  );
  const { told, facts } = await cli.run(
    'report',
    'reconcile',
    '--gateway=sandbox',
    `--file=${file}`,
    '--json',
    ...columns,
  );
  expect(told).toContain('to 2027-04-15T23:59:59.999Z: 2.');
  expect(facts.map(({ difference }) => difference)).toContain('near the edge');
});
