import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buyByCard, registerCustomer } from '../fixtures/customer.ts';
import { median, perSecond, times, type Figure } from './figures.ts';

const rounds = 5;
const payments = 40;
const inserts = 500;
const customers = 4;
const run = promisify(execFile);

async function bareInserts(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bare-'));
  const script = fileURLToPath(new URL('bare-inserts.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script, folder, String(inserts)]);
  rmSync(folder, { recursive: true, force: true });
  // as: bare-inserts.ts prints exactly this
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

/** Whole purchases by card over HTTP, valuation included, from several customers at once. */
async function purchases(buyers: readonly Awaited<ReturnType<typeof registerCustomer>>[]): Promise<number> {
  const started = performance.now();
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let index = 0; index < payments / customers; index += 1) await buyByCard(buyer, '301');
    }),
  );
  return (payments * 1000) / (performance.now() - started);
}

/** Purchases per second, in turns with what the bare database inserts. */
export async function measurePayments(origin: string): Promise<Figure[]> {
  const buyers = [];
  for (let index = 0; index < customers; index += 1) buyers.push(await registerCustomer(origin));
  await purchases(buyers);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await bareInserts());
    ours.push(await purchases(buyers));
  }
  const share = median(ours) / median(theirs);
  return [
    {
      what: 'purchases by card (valuation and pay)',
      measured: `${perSecond(median(ours))} = ${times(share)}`,
      against: `bare inserts ${perSecond(median(theirs))}`,
      target: 'at least 0.25 x',
      met: share >= 0.25,
    },
  ];
}
