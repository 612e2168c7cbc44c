import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { runConcurrently } from '#server/jobs/run-concurrently.ts';
import { testNow } from '#tests/builders/test-app.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import { performRandomAction } from './customer-actions.ts';
import { auditAll, auditNow, type Audit } from './audit.ts';
import { openBank, tellOf } from './bank.ts';
import { answerTo, openMailbox, type Mailbox, type Plan } from './mails.ts';
import { putSubscribers, type Person } from './subscribers.ts';
import type { Job } from './jobs.ts';
import {
  openRunner,
  openShop,
  watchMoves,
  type Process,
  type Death,
  type ProcessOptions,
  type World,
} from './world.ts';
import { changePrices } from './price-changes.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const claimMs = 31 * minuteMs;
const overloadError = /timeout exceeded when trying to connect|due to statement timeout|the database does not answer/;
const customersAtOnce = 8;
/** Mostly simulated kills, because restarting a process takes seconds. */
const deaths: readonly Death[] = ['dieBefore', 'dieAfter', 'dieBefore', 'dieAfter', 'dieBefore', 'dieAfter', 'killed'];
/** The days between two audits of all customers. */
const auditIntervalDays = 50;

export interface Wish {
  readonly subscriptions: number;
  readonly days: number;
  readonly seed: number;
  /** the percentages of customers who buy a month and half a year; the others buy a year */
  readonly months: number;
  readonly halfYears: number;
  /** the average number of spontaneous actions per customer and year */
  readonly actsAYear: number;
  /** the probability that a process is killed during a job */
  readonly kills: number;
  /** the number of job runs per day */
  readonly roundsADay: number;
}

export interface Proof {
  readonly audit: Audit;
  readonly days: number;
  readonly kills: number;
}

/** The state of a run with a simulated clock, whose events are determined by the seed. */
interface Simulation extends World {
  readonly wish: Wish;
  readonly mailbox: Mailbox;
  readonly everybody: Person[];
  readonly plans: Plan[];
  kills: number;
}

/** Opens a process of the shop with its own database connection. */
export type OpenProcess = (options: ProcessOptions) => Promise<Process>;

/** Runs everything in one operating system process, as in `npm test`. */
const inOneProcess: OpenProcess = async (options) => ({
  app: await openShop(options),
  run: await openRunner(options),
});

/** Simulates days with subscriptions, which are bought in the first half, and audits the final state. */
export async function verifyRenewals(
  dbs: readonly [Database, Database],
  wish: Wish,
  { say, open = inOneProcess }: { say: (line: string) => void; open?: OpenProcess },
): Promise<Proof> {
  const simulation = await startSimulation(dbs, wish, open);
  let known = 0;
  for (let day = 0; day < wish.days; day += 1) {
    await runDay(simulation, day);
    for (const fault of simulation.faults.slice(known)) say(`day ${day + 1}: ${fault}`);
    known = simulation.faults.length;
    if (day % 30 === 29)
      say(
        `day ${day + 1}: ${simulation.everybody.length} customers, ${simulation.bank.charges.size} charges, ${simulation.faults.length} faults`,
      );
    if (simulation.faults.length > 20) break;
  }
  await settle(simulation);
  // the audit reads all rows, which takes longer than the time limit of a statement
  const audit = await simulation.db.transaction(async (db) => {
    await db.execute(sql`set local statement_timeout = 0`);
    await db.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    return auditAll({ ...simulation, db }, simulation.mailbox);
  });
  return { audit, days: wish.days, kills: simulation.kills };
}

async function startSimulation(
  [db, other]: readonly [Database, Database],
  wish: Wish,
  open: OpenProcess,
): Promise<Simulation> {
  const chance = seededRandom(wish.seed);
  const clock = { now: testNow };
  const faults: string[] = [];
  const people = new Map<string, Person>();
  const personOf = (uid: string) => people.get(`${uid}@example.com`);
  const bank = openBank({
    chance,
    clock: () => clock.now,
    watch: ({ uid, amount, key }) => {
      const person = personOf(uid);
      if (!person?.wants && !person?.onItsWay.has(key)) faults.push(`${uid} was charged (${key}) without an agreement`);
      else if (person && amount > person.agreed)
        faults.push(`${uid} was charged ${amount} but agreed to ${person.agreed}`);
    },
  });
  // on an overloaded machine connections time out, and the shop retries later
  const complain = (message: string) => {
    if (!overloadError.test(message)) faults.push(`the shop logged an error: ${message}`);
  };
  const { gateway } = bank;
  const processes = [
    await open({ db, gateway, clock, complain }),
    await open({ db: other, gateway, clock, complain }),
  ] as const;
  await watchMoves(db);
  const world: World = { db, chance, bank, clock, faults, people, processes };
  return { ...world, wish, mailbox: openMailbox(world), everybody: [], plans: [], kills: 0 };
}

async function runDay(simulation: Simulation, day: number): Promise<void> {
  const { clock, chance } = simulation;
  const morning = testNow + day * dayMs;
  clock.now = morning;
  await addCustomers(simulation, day);
  await changePrices(simulation, simulation.wish.days, day);
  // sometimes the shop is down for some days, and sometimes its clock is set back by some hours
  if (Math.floor(day / 50) % 2 === 0 && day % 50 > 46) return;
  if (chance.is(0.03)) clock.now -= Math.floor(chance.next() * 30) * hourMs;
  const isConcurrent = chance.is(0.5);
  const customers = runCustomerActions(simulation);
  if (!isConcurrent) await customers;
  await Promise.all([runJobs(simulation), customers]);
  await readMail(simulation);
  for (let round = 1; round < simulation.wish.roundsADay; round += 1) {
    clock.now = Math.max(clock.now, morning) + 12 * hourMs;
    await runJobs(simulation);
    await readMail(simulation);
  }
  await simulation.processes[0].run('rest');
  if (day % 3 === 2) await runInBoth(simulation, 'deleteAccounts');
  if (day % 10 === 9) await simulation.processes[0].run('deleteExpiredRows');
  if (day % auditIntervalDays === auditIntervalDays - 1) await auditNow(simulation);
}

/** Adds the new customers of the day: all join in the first half, so that most stay for at least half of the time. */
async function addCustomers(
  { wish, db, bank, clock, chance, everybody, people, processes }: Simulation,
  day: number,
): Promise<void> {
  const joiningDays = Math.ceil(wish.days / 2);
  const until = Math.min(wish.subscriptions, Math.round((wish.subscriptions * (day + 1)) / joiningDays));
  const catalog = processes[0].app.deps.catalog.byCode('lumen');
  const sold = (id: string) => catalog?.plans.find((plan) => plan.id === id);
  const chosen = Array.from({ length: until - everybody.length }, () => sold(planFor(chance, wish)) ?? []).flat();
  const joined = await putSubscribers(db, { bank, plans: chosen, first: everybody.length, now: clock.now });
  for (const person of joined) people.set(person.account, person);
  everybody.push(...joined);
}

function planFor(chance: SeededRandom, { months, halfYears }: Wish): string {
  const of = chance.next() * 100;
  return of < months ? '101' : of < months + halfYears ? '102' : '103';
}

/** Performs spontaneous actions, and the due reactions to mails. */
async function runCustomerActions(simulation: Simulation): Promise<void> {
  const { chance, everybody, plans: all, wish, clock } = simulation;
  const due = all.filter(({ at }) => at <= clock.now);
  const later = all.filter(({ at }) => at > clock.now);
  all.splice(0, all.length, ...later);
  const expected = (everybody.length * wish.actsAYear) / 365;
  const count = Math.floor(expected) + (chance.is(expected % 1) ? 1 : 0);
  const spontaneous = Array.from({ length: count }, () => ({
    act: performRandomAction,
    person: chance.pick(everybody),
  }));
  // the actions of one customer run one after another
  const byPerson = Map.groupBy([...due, ...spontaneous], ({ person }) => person);
  await runConcurrently([...byPerson], customersAtOnce, async ([person, own]) => {
    for (const { act } of own) await act(simulation, person);
  });
}

/** Runs the jobs in both processes at once; each may be killed before or after a call to the bank. */
async function runJobs(simulation: Simulation): Promise<void> {
  await runInBoth(simulation, 'renewDue');
  // the claims of killed processes expire, and late charges are paid
  simulation.clock.now += claimMs;
  await deliverHalfOfNotices(simulation);
  await runInBoth(simulation, 'reconcile');
  await runInBoth(simulation, 'renewDue');
}

async function runInBoth(simulation: Simulation, job: Job): Promise<void> {
  const { processes, chance, wish } = simulation;
  const fault = () => (chance.is(wish.kills) ? chance.pick(deaths) : undefined);
  const ends = await Promise.all(processes.map((one) => one.run(job, fault())));
  simulation.kills += ends.filter((end) => end === 'died').length;
}

/** Delivers half of the notices of late charges; the shop has to inquire about the others. */
async function deliverHalfOfNotices({ bank, chance, processes, faults }: Simulation): Promise<void> {
  for (const { key } of bank.ripe()) {
    if (chance.is(0.5)) continue;
    const body = tellOf({ kind: 'charge', key, eventId: `charge ${key}`, stage: undefined });
    const { status } = await chance.pick(processes).app.app.request('/webhooks/sandbox', { method: 'POST', body });
    if (status !== 200) faults.push(`a notice was answered with ${status}`);
  }
}

async function readMail(simulation: Simulation): Promise<void> {
  for (const mail of await simulation.mailbox.read()) {
    const plan = answerTo(simulation, mail);
    if (plan) simulation.plans.push(plan);
  }
}

/** Finishes everything that is open, without further actions. */
async function settle(simulation: Simulation): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    simulation.clock.now += hourMs;
    await deliverHalfOfNotices(simulation);
    for (const one of simulation.processes) await one.run('reconcile');
    await simulation.processes[0].run('rest');
  }
  // delete the leaving accounts, and repeat the deletion of their cards until the bank has answered
  for (let round = 0; round < 12; round += 1) {
    simulation.clock.now += dayMs;
    await simulation.processes[0].run('deleteAccounts');
  }
  await readMail(simulation);
}
