import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aTransfer } from '#tests/builders/a-transfer.ts';
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

/** Compares with the file of a bank that has these lines. */
function reconcile(gateway: string, lines: readonly string[]) {
  const file = join(folder, 'bank.csv');
  writeFileSync(file, ['Ref,Value,Cur,Day', ...lines].join('\n'));
  const named = { reference: 'Ref', amount: 'Value', currency: 'Cur', date: 'Day' };
  const columns = Object.entries(named).map(([what, name]) => `--${what}-column=${name}`);
  return cli.run('report', 'reconcile', `--gateway=${gateway}`, `--file=${file}`, '--json', ...columns);
}

it('a file of days without times has its last day to the end', async () => {
  cli.shop.clock.now = Date.UTC(2027, 3, 15, 11, 30);
  const [ana] = await cli.shop.buyers(1);
  await ana?.pay();
  const { told, facts } = await reconcile('sandbox', ['THEIRS,7.00,BRL,2027-04-10', 'OTHERS,8.00,BRL,2027-04-15']);
  expect(told).toContain('to 2027-04-15T23:59:59.999Z: 2.');
  expect(facts.map(({ difference }) => difference)).toContain('near the edge');
});

it('a transfer and its refund are found by the reference among the words of the bank', async () => {
  cli.shop.clock.now = Date.UTC(2027, 6, 15, 11, 30);
  const owed = await aTransfer(cli.shop);
  await owed.prove();
  await owed.accept();
  await cli.run('orders', 'refund', owed.orderId, '--why=a ticket');
  const { reference } = owed.step;
  const broken = `${reference.slice(0, 5)} ${reference.slice(5)}`;
  const { told, code } = await reconcile('transfer', [
    `PAYNOW FROM ANA LIM ${reference.toLowerCase()},6.70,SGD,2027-07-15`,
    `SENT BACK ${broken} TO ANA LIM,-6.70,SGD,2027-07-15`,
  ]);
  expect([code, told]).toEqual([0, expect.stringContaining('Nothing differs.')]);
});

it('a transfer that came twice differs until it is sent back, and lines name their own place in the file', async () => {
  cli.shop.clock.now = Date.UTC(2027, 8, 15, 11, 30);
  const paid = await aTransfer(cli.shop);
  await paid.prove();
  await paid.accept();
  const { reference } = paid.step;
  const twice = [`${reference},6.70,SGD,2027-09-15`, 'FEE OF SEPTEMBER,-1.00,SGD,2027-09-15'];
  const before = await reconcile('transfer', [...twice, `${reference} AGAIN,6.70,SGD,2027-09-15`]);
  expect([before.code, before.facts]).toEqual([
    1,
    [expect.objectContaining({ difference: 'amount differs', line: 2 })],
  ]);
  const back = [...twice, `${reference} AGAIN,6.70,SGD,2027-09-15`, `BACK ${reference},-6.70,SGD,2027-09-15`];
  expect((await reconcile('transfer', back)).code).toBe(0);

  const stranger = [
    'MF5L226MC4A6,4.99,SGD,2027-09-15',
    'RENT,-9.00,SGD,2027-09-15',
    'MF5L226MC4A6,-2.00,SGD,2027-09-15',
  ];
  const found = (await reconcile('transfer', [...back, ...stranger])).facts;
  expect(found.map(({ what, line }) => [what, line])).toEqual([
    ['payment', 6],
    ['refund', 8],
  ]);
});
