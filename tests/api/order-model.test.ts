import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';
import { releaseDatabase, acquireDatabase } from '#tests/builders/test-database.ts';
import { playAgain, playStories } from '#tests/tools/verify/model/play.ts';
import type { Step } from '#tests/tools/verify/model/steps.ts';
import { openStage, type Stage } from '#tests/tools/verify/model/world.ts';

/** A failure prints its seed; `PROOF_SEED` repeats it, and `PROOF_RUNS` sets the number of runs. */
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

describe('an order during random events on a real PostgreSQL', { timeout: 300_000 }, () => {
  defineModelTests(openOnPostgres);
});
describe('an order during random events on the embedded database', { tags: 'slow' }, () => {
  defineModelTests(inMemory);
});

function defineModelTests(open: () => Promise<Opened>): void {
  let opened: Opened;
  let stage: Stage;
  beforeAll(async () => {
    opened = await open();
    stage = await openStage(opened.db);
  }, 120_000);
  afterAll(() => opened?.close());

  it('changes only as the status table allows, is paid once, and its books balance after every step', async () => {
    await playStories(stage, { of: 'orders', runs: Number(PROOF_RUNS ?? runs), seed });
  });

  it('renews as agreed, is charged once a period, and never after it was turned off', async () => {
    await playStories(stage, { of: 'renewals', runs: Number(PROOF_RUNS ?? renewals), seed, length: 25 });
  });

  it('can be paid again after the process died while it cancelled its payment', async () => {
    const steps: Step[][] = [
      [{ do: 'pay', way: 7, several: false, coupon: 'none' }],
      [{ do: 'repay', order: 0, way: 15, coupon: 'none', fault: 'dieBefore' }],
      [{ do: 'repay', order: 0, way: 15, coupon: 'none' }],
    ];
    await playAgain(stage, { brand: 'lumen', steps });
  });

  it('removes the days of a partial refund from the day of the refund', async () => {
    const steps: Step[][] = [
      [
        { do: 'pay', way: 0, several: true, coupon: 'none' },
        { do: 'press', page: 0, action: 'pay' },
      ],
      // The simulated bank answers to this amount on the next day.
      [{ do: 'sendRefund', order: 0, amount: 293, ends: true, again: false }],
      [{ do: 'live', days: 2, backHours: 0 }],
    ];
    await playAgain(stage, { brand: 'lumen', steps });
  });
}
