import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { verifyRenewals } from '#tests/tools/verify/renewals/verify.ts';

const seed = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
const wish = {
  subscriptions: 300,
  days: 365,
  months: 20,
  halfYears: 40,
  actsAYear: 0.7,
  kills: 0.05,
  roundsADay: 1,
  seed,
};

let postgres: RunningPostgres;
const opened: Pick<OpenedDatabase, 'db' | 'close'>[] = [];
beforeAll(async () => {
  postgres = await startPostgres({ filled: true });
  for (let process = 0; process < 2; process += 1)
    opened.push(await openPostgres(postgres.url, createLog('silent'), { contents: demoContents }));
}, 120_000);
afterAll(async () => {
  for (const { close } of opened) await close();
  await postgres?.stop();
});

/** The short version of `npm run verify:renewals`. */
describe('a year of renewals, with two processes that are killed and a clock that jumps', { tags: 'slow' }, () => {
  it(`charges each period once, none after it was turned off, and reports each decline once (seed ${seed})`, async () => {
    const [one, other] = opened.map(({ db }) => db);
    if (!one || !other) throw new Error('no database');
    const { audit } = await verifyRenewals([one, other], wish, { say: () => {} });
    expect(audit.faults).toEqual([]);
    expect(audit.charges).toBe(audit.periods);
    expect(audit.refusalMails).toBe(audit.refusals);
    expect(Math.min(audit.charges, audit.refusals, audit.notices)).toBeGreaterThan(10);
  });
});
