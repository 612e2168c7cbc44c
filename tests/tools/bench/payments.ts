import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { payByCard, quoteByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import type { RunningPostgres } from '#tests/fixtures/postgres.ts';
import { median, perSecond, times, type Figure } from './figures.ts';

const rounds = 5;
const payments = 80;
const inserts = 300;
const customers = 4;
const run = promisify(execFile);

interface BareFigures {
  readonly rows: number;
  readonly payments: number;
}

async function bareInserts(url: string): Promise<BareFigures> {
  const script = fileURLToPath(new URL('bare-inserts.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script, url, String(inserts)]);
  return JSON.parse(stdout) as BareFigures; // as: bare-inserts.ts prints exactly this
}

/**
 * Payments per second by card over HTTP from several concurrent customers; each creates an order, a charge and a
 * receipt.
 */
async function pay(buyers: readonly Customer[]): Promise<number> {
  const ready = await Promise.all(buyers.map(async (buyer) => ({ buyer, quoted: await quoteByCard(buyer, '301') })));
  const started = performance.now();
  await Promise.all(
    ready.map(async ({ buyer, quoted }) => {
      for (let done = 0; done < payments / customers; done += 1) await payByCard(buyer, quoted);
    }),
  );
  return (payments * 1000) / (performance.now() - started);
}

/** Measures payments per second, alternately with inserts into another database of the same PostgreSQL. */
export async function measurePayments(origin: string, postgres: RunningPostgres): Promise<Figure[]> {
  await postgres.createDatabase('bare');
  const bareUrl = postgres.url.replace(/shop$/, 'bare');
  const buyers: Customer[] = [];
  for (let index = 0; index < customers; index += 1) buyers.push(await registerCustomer(origin));
  await pay(buyers);
  const ours: number[] = [];
  const theirs: BareFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await bareInserts(bareUrl));
    ours.push(await pay(buyers));
  }
  const bare = median(theirs.map((one) => one.payments));
  const rows = median(theirs.map((one) => one.rows));
  const paid = median(ours);
  return [
    {
      what: 'pay by card',
      measured: `${perSecond(paid)} = ${times(paid / bare)}`,
      against: `rows of a payment, inserted bare ${perSecond(bare)}`,
      target: 'at least 0.25 x',
      met: paid >= bare / 4,
    },
    { what: 'the same, compared with single small rows', measured: times(paid / rows), against: perSecond(rows) },
  ];
}
