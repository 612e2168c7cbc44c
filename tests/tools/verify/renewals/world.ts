import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import type { Gateways, PaymentGateway } from '#server/payments/gateway.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { openGatewayFaults, type Fault } from '../model/gateway-faults.ts';
import type { Bank } from './bank.ts';
import { jobs, type Job } from './jobs.ts';
import type { Person } from './subscribers.ts';

/** A kill before or after a call to the bank. `killed`: at a random time for a real process, otherwise after a call. */
export type Death = Extract<Fault, 'dieBefore' | 'dieAfter'> | 'killed';

/** One process of the shop, which can be killed during its jobs and is then restarted. */
export interface Process {
  /** the app that its customers call; only `verify:money` kills it during their calls */
  readonly app: TestApp;
  /** runs a job with a fault in the next call to the bank; restarts a killed process and returns `died` */
  run(job: Job, fault?: Death): Promise<unknown>;
}

/** The state of a verification. */
export interface World {
  readonly db: Database;
  readonly chance: SeededRandom;
  readonly bank: Bank;
  readonly processes: readonly [Process, Process];
  /** the customers by account, which is also the recipient of their mails */
  readonly people: Map<string, Person>;
  readonly clock: { now: number };
  /** the recorded faults */
  readonly faults: string[];
}

/** How long a statement may take that was sent to the database before the kill, in milliseconds. */
const lastStatementMs = 25;

export interface ProcessOptions {
  readonly db: Database;
  readonly gateway: PaymentGateway;
  readonly clock: { readonly now: number };
  /** is called for errors in the log of the process */
  readonly complain: (words: string) => void;
}

const same = (gateways: Gateways) => gateways;

/** A shop that uses this bank. */
export function openShop({ db, gateway, clock, complain }: ProcessOptions, over = same): Promise<TestApp> {
  return testApp({
    db,
    deps: ({ gateways, log }) => ({
      clock: () => clock.now,
      gateways: over({ ...gateways, sandbox: gateway }),
      log: Object.assign(Object.create(log) as typeof log, { error: (entry: unknown) => complain(messageOf(entry)) }), // as: pino's logger with one replaced method
    }),
  });
}

/** Runs the jobs of a shop that can be killed. */
export async function openRunner(options: ProcessOptions): Promise<Process['run']> {
  const faults = openGatewayFaults();
  let shop = await openShop(options, faults.over);
  return async (job, fault) => {
    faults.spoil(fault === 'killed' ? 'dieAfter' : fault);
    const end = await Promise.race([jobs[job](shop.deps), faults.died()]);
    faults.spoil(undefined);
    if (end !== 'died') return end;
    await new Promise((resolve) => setTimeout(resolve, lastStatementMs));
    shop = await openShop(options, faults.over);
    return end;
  };
}

function messageOf(entry: unknown): string {
  const error = typeof entry === 'object' && entry !== null && 'err' in entry ? entry.err : entry;
  return error instanceof Error
    ? [error, error.cause].map((one) => (one instanceof Error ? one.stack : '')).join(' ')
    : JSON.stringify(error);
}

/** Creates a trigger that records every status change and refusal of a renewal. */
export async function watchMoves(db: Database): Promise<void> {
  await db.execute(
    sql`create table renewal_moves (seq bigserial primary key, uid text not null, before text not null, after text not null,
      refused boolean not null, leaves boolean not null, at bigint not null)`,
  );
  await db.execute(sql`create function note_renewal() returns trigger language plpgsql as $$
    begin
      insert into renewal_moves (uid, before, after, refused, leaves, at)
      values (new.uid, old.status, new.status, new.refusals > old.refusals,
        exists (select 1 from users where users.uid = new.uid and leaves_at is not null), new.updated_at);
      return null;
    end $$`);
  await db.execute(sql`create trigger note_renewal after update on subscriptions for each row
    when (old.status is distinct from new.status or old.refusals is distinct from new.refusals)
    execute function note_renewal()`);
}
