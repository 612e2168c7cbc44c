import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { releaseDatabase, acquireDatabase } from '#tests/builders/test-database.ts';
import { playAgain, playStories } from '#tests/tools/verify/model/play.ts';
import type { Step } from '#tests/tools/verify/model/steps.ts';
import { openStage, type Stage } from '#tests/tools/verify/model/world.ts';

/** A failure prints its seed; `PROOF_SEED` plays it again, and `PROOF_RUNS` plays more. */
const { PROOF_SEED, PROOF_RUNS } = process.env;
const seed = PROOF_SEED === undefined ? undefined : Number(PROOF_SEED);

interface Opened {
  readonly db: Database;
  close(): Promise<void>;
}

const inMemory = async (): Promise<Opened> => {
  const database = await acquireDatabase();
  return { db: database.db, close: () => releaseDatabase(database) };
};

const runs = 14;
const renewals = 4;

describe('whatever happens to an order, on a real PostgreSQL', { timeout: 300_000 }, () => {
  hold(openOnPostgres);
});
describe('whatever happens to an order, on the embedded database', { timeout: 300_000, tags: 'slow' }, () => {
  hold(inMemory);
});

function hold(open: () => Promise<Opened>): void {
  let opened: Opened;
  let stage: Stage;
  beforeAll(async () => {
    opened = await open();
    stage = await openStage(opened.db);
  }, 120_000);
  afterAll(() => opened?.close());

  it('moves only as the table allows, is paid once, and the books balance after every step', async () => {
    await playStories(stage, { of: 'orders', runs: Number(PROOF_RUNS ?? runs), seed });
  });

  it('renews as its customer has agreed, is charged once a period, and never after it was stopped', async () => {
    await playStories(stage, { of: 'renewals', runs: Number(PROOF_RUNS ?? renewals), seed, length: 25 });
  });

  it('answers who pays an order again after the process died that was calling off its payment', async () => {
    const steps: Step[][] = [
      [{ do: 'pay', way: 7, several: false, coupon: 'none' }],
      [{ do: 'repay', order: 0, way: 15, coupon: 'none', fault: 'dieBefore' }],
      [{ do: 'repay', order: 0, way: 15, coupon: 'none' }],
    ];
    await playAgain(stage, { brand: 'lumen', steps });
  });

  it('takes the days of a part from the day on which the bank gave it back', async () => {
    const steps: Step[][] = [
      [
        { do: 'pay', way: 0, several: true, coupon: 'none' },
        { do: 'press', page: 0, action: 'pay' },
      ],
      // an amount whose bank answers tomorrow
      [{ do: 'sendRefund', order: 0, amount: 293, ends: true, again: false }],
      [{ do: 'live', days: 2, backHours: 0 }],
    ];
    await playAgain(stage, { brand: 'lumen', steps });
  });
}
