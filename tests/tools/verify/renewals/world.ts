import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import type { Gateways, PaymentGateway } from '#server/payments/gateway.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { openGatewayFaults, type Fault } from '../model/gateway-faults.ts';
import type { Bank } from './bank.ts';
import { jobs, type Job } from './jobs.ts';
import type { Person } from './people.ts';

/** Around a call to the bank; `killed`: anywhere, where the process is one of the system, else after a call. */
export type Death = Extract<Fault, 'dieBefore' | 'dieAfter'> | 'killed';

/** One process of the shop: its jobs can be killed, and are started again. */
export interface Process {
  /** what its customers call; `verify:money` kills under them */
  readonly app: TestApp;
  /** runs a job, with the next call to the bank spoiled; a process that died of it is started again, and answers `died` */
  run(job: Job, fault?: Death): Promise<unknown>;
}

/** Everything that goes on in a proof. */
export interface World {
  readonly db: Database;
  readonly chance: SeededRandom;
  readonly bank: Bank;
  readonly processes: readonly [Process, Process];
  /** by their account, in which mail names them */
  readonly people: Map<string, Person>;
  readonly clock: { now: number };
  /** what went wrong, in words */
  readonly faults: string[];
}

/** How long a statement may take that was on its way to the database when its process died, in milliseconds. */
const lastBreathMs = 25;

export interface ProcessOptions {
  readonly db: Database;
  readonly gateway: PaymentGateway;
  readonly clock: { readonly now: number };
  /** hears of what the process logs as an error */
  readonly complain: (words: string) => void;
}

const same = (gateways: Gateways) => gateways;

/** A shop with this bank. */
export function openShop({ db, gateway, clock, complain }: ProcessOptions, over = same): Promise<TestApp> {
  return testApp({
    db,
    deps: ({ gateways, log }) => ({
      clock: () => clock.now,
      gateways: over({ ...gateways, sandbox: gateway }),
      log: Object.assign(Object.create(log) as typeof log, { error: (told: unknown) => complain(wordsOf(told)) }), // as: pino's own, but for one method
    }),
  });
}

/** What runs the jobs of a shop, and can be killed. */
export async function openRunner(options: ProcessOptions): Promise<Process['run']> {
  const faults = openGatewayFaults();
  let shop = await openShop(options, faults.over);
  return async (job, fault) => {
    faults.spoil(fault === 'killed' ? 'dieAfter' : fault);
    const end = await Promise.race([jobs[job](shop.deps), faults.died()]);
    faults.spoil(undefined);
    if (end !== 'died') return end;
    await new Promise((resolve) => setTimeout(resolve, lastBreathMs));
    shop = await openShop(options, faults.over);
    return end;
  };
}

function wordsOf(told: unknown): string {
  const error = typeof told === 'object' && told !== null && 'err' in told ? told.err : told;
  return error instanceof Error
    ? [error, error.cause].map((one) => (one instanceof Error ? one.stack : '')).join(' ')
    : JSON.stringify(error);
}

/** The database itself writes down how each renewal moves, by whomever. */
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
