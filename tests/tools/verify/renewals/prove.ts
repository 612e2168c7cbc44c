import { eq, sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { plans } from '#server/db/schema/brands.ts';
import { runConcurrently } from '#server/jobs/run-concurrently.ts';
import { testNow } from '#tests/builders/test-app.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import { performRandomAction } from './acts.ts';
import { auditAll, auditNow, type Audit } from './audit.ts';
import { openBank, tellOf } from './bank.ts';
import { answerTo, openMailbox, type Mailbox, type Plan } from './mails.ts';
import { currency, putSubscribers, type Person } from './people.ts';
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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const claimMs = 31 * minuteMs;
const starved = /timeout exceeded when trying to connect|due to statement timeout|the database does not answer/;
const customersAtOnce = 8;
/** Most are quick; starting a process again takes seconds. */
const deaths: readonly Death[] = ['dieBefore', 'dieAfter', 'dieBefore', 'dieAfter', 'dieBefore', 'dieAfter', 'killed'];
/** How often the books of everybody are looked at, in days. */
const auditEvery = 50;

export interface Wish {
  readonly subscriptions: number;
  readonly days: number;
  readonly seed: number;
  /** out of a hundred, who buys a month, half a year, and else a year */
  readonly months: number;
  readonly halfYears: number;
  /** what customers do in a year without being asked, on average */
  readonly actsAYear: number;
  /** how often a process is killed by a job that it runs */
  readonly kills: number;
  /** how often the jobs run */
  readonly roundsADay: number;
}

export interface Proof {
  readonly audit: Audit;
  readonly days: number;
  readonly kills: number;
}

/** Days are lived by a fast clock; everything that happens in them is decided by the seed. */
interface Life extends World {
  readonly wish: Wish;
  readonly mailbox: Mailbox;
  readonly everybody: Person[];
  readonly plans: Plan[];
  kills: number;
}

/** How a process of the shop is opened, on a connection of its own. */
export type OpenProcess = (options: ProcessOptions) => Promise<Process>;

/** Everything in one process of the system: so it is done in `npm test`. */
export const inOneProcess: OpenProcess = async (options) => ({
  app: await openShop(options),
  run: await openRunner(options),
});

/** Lives through so many days with so many subscriptions, who come in the first half of them, and looks at what is left. */
export async function verifyRenewals(
  dbs: readonly [Database, Database],
  wish: Wish,
  { say, open = inOneProcess }: { say: (words: string) => void; open?: OpenProcess },
): Promise<Proof> {
  const life = await openLife(dbs, wish, open);
  let known = 0;
  for (let day = 0; day < wish.days; day += 1) {
    await liveOneDay(life, day);
    for (const fault of life.faults.slice(known)) say(`day ${day + 1}: ${fault}`);
    known = life.faults.length;
    if (day % 30 === 29)
      say(
        `day ${day + 1}: ${life.everybody.length} customers, ${life.bank.charges.size} charges asked for, ${life.faults.length} faults`,
      );
    if (life.faults.length > 20) break;
  }
  await settle(life);
  // it reads all that was written, for longer than any request may
  const audit = await life.db.transaction(async (db) => {
    await db.execute(sql`set local statement_timeout = 0`);
    await db.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    return auditAll({ ...life, db }, life.mailbox);
  });
  return { audit, days: wish.days, kills: life.kills };
}

async function openLife([db, other]: readonly [Database, Database], wish: Wish, open: OpenProcess): Promise<Life> {
  const chance = seededRandom(wish.seed);
  const clock = { now: testNow };
  const faults: string[] = [];
  const people = new Map<string, Person>();
  const wants = (uid: string) => people.get(`${uid}@example.com`);
  const bank = openBank({
    chance,
    clock: () => clock.now,
    watch: ({ uid, amount, key }) => {
      const person = wants(uid);
      if (!person?.wants && !person?.onItsWay.has(key))
        faults.push(`${uid} was charged (${key}) and does not want to be`);
      else if (person && amount > person.agreed)
        faults.push(`${uid} was charged ${amount} and agreed to ${person.agreed}`);
    },
  });
  // a machine with too much to do lets connections wait too long, and then the shop tries again later
  const complain = (words: string) => {
    if (!starved.test(words)) faults.push(`the shop logged an error: ${words}`);
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

async function liveOneDay(life: Life, day: number): Promise<void> {
  const { clock, chance } = life;
  const morning = testNow + day * dayMs;
  clock.now = morning;
  await welcome(life, day);
  await changePrices(life, day);
  // the shop is away for some days now and then, and its clock is put back by some hours
  if (Math.floor(day / 50) % 2 === 0 && day % 50 > 46) return;
  if (chance.is(0.03)) clock.now -= Math.floor(chance.next() * 30) * hourMs;
  const beside = chance.is(0.5);
  const customers = actAll(life);
  if (!beside) await customers;
  await Promise.all([runJobs(life), customers]);
  await readMail(life);
  for (let round = 1; round < life.wish.roundsADay; round += 1) {
    clock.now = Math.max(clock.now, morning) + 12 * hourMs;
    await runJobs(life);
    await readMail(life);
  }
  await life.processes[0].run('rest');
  if (day % 3 === 2) await both(life, 'deleteAccounts');
  if (day % 10 === 9) await life.processes[0].run('deleteExpiredRows');
  if (day % auditEvery === auditEvery - 1) await auditNow(life);
}

/** They come in the first half of the time, so most are there for half of it or more. */
async function welcome(
  { wish, db, bank, clock, chance, everybody, people, processes }: Life,
  day: number,
): Promise<void> {
  const coming = Math.ceil(wish.days / 2);
  const until = Math.min(wish.subscriptions, Math.round((wish.subscriptions * (day + 1)) / coming));
  const catalog = processes[0].app.deps.catalog.byCode('lumen');
  const sold = (id: string) => catalog?.plans.find((plan) => plan.id === id);
  const chosen = Array.from({ length: until - everybody.length }, () => sold(planFor(chance, wish)) ?? []).flat();
  const come = await putSubscribers(db, { bank, plans: chosen, first: everybody.length, now: clock.now });
  for (const person of come) people.set(person.account, person);
  everybody.push(...come);
}

function planFor(chance: SeededRandom, { months, halfYears }: Wish): string {
  const of = chance.next() * 100;
  return of < months ? '101' : of < months + halfYears ? '102' : '103';
}

/** The year gets dearer, and later cheaper again; the half-year is dearer for good; the month is cheaper for a while. */
async function changePrices({ wish, db, processes }: Life, day: number): Promise<void> {
  const at = (part: number) => day === Math.floor(wish.days * part);
  const changes = [
    [0.4, '103', 19_990],
    [0.55, '102', 10_990],
    [0.6, '101', 1490],
    [0.63, '101', 1990],
    [0.7, '103', 17_990],
    [0.8, '103', 19_990],
  ] as const;
  const [, id, amount] = changes.find(([part]) => at(part)) ?? [];
  if (id === undefined) return;
  const [plan] = await db.select().from(plans).where(eq(plans.id, id));
  await db
    .update(plans)
    .set({ prices: { ...plan?.prices, [currency]: amount } })
    .where(eq(plans.id, id));
  for (const { app, run } of processes) {
    await app.deps.catalog.refresh();
    await run('refresh');
  }
}

/** Who feels like it does something, and who has read a mail does what they meant to. */
async function actAll(life: Life): Promise<void> {
  const { chance, everybody, plans: all, wish, clock } = life;
  const due = all.filter(({ at }) => at <= clock.now);
  const later = all.filter(({ at }) => at > clock.now);
  all.splice(0, all.length, ...later);
  const expected = (everybody.length * wish.actsAYear) / 365;
  const count = Math.floor(expected) + (chance.is(expected % 1) ? 1 : 0);
  const unasked = Array.from({ length: count }, () => ({ act: performRandomAction, person: chance.pick(everybody) }));
  // each does one thing after the other
  const wishes = Map.groupBy([...due, ...unasked], ({ person }) => person);
  await runConcurrently([...wishes], customersAtOnce, async ([person, own]) => {
    for (const { act } of own) await act(life, person);
  });
}

/** Both processes at once; one of them may be killed before or after a call to the bank. */
async function runJobs(life: Life): Promise<void> {
  await both(life, 'renewDue');
  // the claims of who has died end, and late charges are paid
  life.clock.now += claimMs;
  await tellRipe(life);
  await both(life, 'reconcile');
  await both(life, 'renewDue');
}

async function both(life: Life, job: Job): Promise<void> {
  const { processes, chance, wish } = life;
  const fault = () => (chance.is(wish.kills) ? chance.pick(deaths) : undefined);
  const ends = await Promise.all(processes.map((one) => one.run(job, fault())));
  life.kills += ends.filter((end) => end === 'died').length;
}

/** Half of the notices of late charges get lost, and the shop has to ask. */
async function tellRipe({ bank, chance, processes, faults }: Life): Promise<void> {
  for (const { key } of bank.ripe()) {
    if (chance.is(0.5)) continue;
    const body = tellOf({ kind: 'charge', key, eventId: `charge ${key}`, stage: undefined });
    const { status } = await chance.pick(processes).app.app.request('/webhooks/sandbox', { method: 'POST', body });
    if (status !== 200) faults.push(`a notice was answered with ${status}`);
  }
}

async function readMail(life: Life): Promise<void> {
  for (const mail of await life.mailbox.read()) {
    const plan = answerTo(life, mail);
    if (plan) life.plans.push(plan);
  }
}

/** Nobody does anything more, and what is open comes to its end. */
async function settle(life: Life): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    life.clock.now += hourMs;
    await tellRipe(life);
    for (const one of life.processes) await one.run('reconcile');
    await life.processes[0].run('rest');
  }
  // those who leave go, and the bank is asked about their cards until it has answered
  for (let round = 0; round < 12; round += 1) {
    life.clock.now += dayMs;
    await life.processes[0].run('deleteAccounts');
  }
  await readMail(life);
}
