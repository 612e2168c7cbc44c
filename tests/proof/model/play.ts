import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isOpen } from '../../../src/contract/order-status.ts';
import { paidTwice } from '../../builders/balanced.ts';
import { ways } from '../ways.ts';
import { faults } from './hand.ts';
import { keepsTheLaws, type Watch } from './laws.ts';
import { kinds, stages } from './notices.ts';
import { aStory, type Story } from './purchase.ts';
import { noServices } from './services.ts';
import { act, type Step } from './steps.ts';
import { aWorld, movesSince, recordsOf, type Stage } from './world.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const some = fc.nat({ max: 30 });
const fault = fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 3 });
const coupon = fc.constantFrom('none', 'none', 'half', 'free');
const is = <const Do extends Step['do']>(name: Do) => fc.constant(name);

const anyStep: Record<Step['do'], fc.Arbitrary<Step>> = {
  pay: fc.record({ do: is('pay'), way: some, coupon, fault }),
  repay: fc.record({ do: is('repay'), order: some, way: some, coupon, fault }),
  again: fc.record({ do: is('again'), call: some }),
  act: fc.record({ do: is('act'), order: some, deed: fc.constantFrom('pay', 'pay', 'refuse'), fault }),
  press: fc.record({
    do: is('press'),
    page: some,
    action: fc.constantFrom('pay', 'pay-late', 'approve', 'refuse'),
  }),
  unbind: fc.record({ do: is('unbind'), order: some, fault }),
  notice: fc.record({
    do: is('notice'),
    attempt: some,
    kind: fc.constantFrom(...kinds),
    stage: fc.constantFrom(...stages),
    delivered: fc.constantFrom('now', 'twice', 'later'),
  }),
  oldNotice: fc.record({ do: is('oldNotice'), notice: some }),
  review: fc.record({ do: is('review'), transfer: some, accepts: fc.boolean() }),
  deliver: fc.record({ do: is('deliver'), afterMs: fc.constantFrom(300, 2 * second) }),
  jobs: fc.record({
    do: is('jobs'),
    afterMs: fc.constantFrom(0, 31 * second, 16 * minute, 31 * minute, 25 * hour, 50 * hour),
    fault,
  }),
  restart: fc.record({ do: is('restart') }),
};

/** A step, or several at once, as fast-check runs and shrinks it. */
class Happening implements fc.AsyncCommand<Watch, Story> {
  readonly steps: readonly Step[];
  constructor(steps: readonly Step[]) {
    this.steps = steps;
  }
  check(): boolean {
    return true;
  }
  async run(watch: Watch, story: Story): Promise<void> {
    const alone = this.steps.length === 1;
    await Promise.all(this.steps.map((step) => act(story, step, alone)));
    await keepsTheLaws(story.world, watch);
  }
  toString(): string {
    return this.steps.map((step) => JSON.stringify(step)).join(' beside ');
  }
}

/** Mostly somebody pays, and does what is asked for; the rest happens now and then. */
const often = [
  ...[anyStep.pay, anyStep.pay, anyStep.act, anyStep.act, anyStep.act, anyStep.repay],
  ...[anyStep.notice, anyStep.press, anyStep.press, anyStep.jobs],
];
const alone = [...Object.values(anyStep), ...often].map((step) => step.map((one) => new Happening([one])));
/** At once goes what does not end the process and does not move the clock under the others. */
const beside = fc
  .array(
    fc.oneof(anyStep.pay, anyStep.repay, anyStep.again, anyStep.act, anyStep.press, anyStep.unbind, anyStep.notice),
    {
      minLength: 2,
      maxLength: 4,
    },
  )
  .map((steps) => new Happening(steps.map((step) => ({ ...step, fault: undefined }))));

/** Plays so many stories on a stage, each with a customer of its own; rejects with the shortest one that breaks a law. */
export async function playStories(
  stage: Stage,
  { runs, seed, length = 40 }: { runs: number; seed?: number | undefined; length?: number },
): Promise<void> {
  const brand = fc.constantFrom(...new Set(ways.map((way) => way.brand)));
  const play = fc.asyncProperty(
    brand,
    fc.commands([...alone, beside], { maxCommands: length, size: 'max' }),
    (name, all) => playOne(stage, name, all),
  );
  await fc.assert(play, { numRuns: runs, ...(seed !== undefined && { seed }) });
}

async function playOne(
  stage: Stage,
  brand: string,
  all: Iterable<fc.AsyncCommand<Watch, Story, boolean>>,
): Promise<void> {
  const story = aStory(await aWorld(stage, brand));
  const watch: Watch = { seen: (await movesSince(stage, 0)).at(-1)?.seq ?? 0, services: noServices() };
  await fc.asyncModelRun(() => ({ model: watch, real: story }), all);
  await endsWell(story, watch);
}

/** Time passes and nobody does anything more: then nothing is open, and shop and bank agree about every coin. */
async function endsWell(story: Story, watch: Watch): Promise<void> {
  const { world } = story;
  await act(story, { do: 'deliver', afterMs: 0 }, true);
  for (let proofs = 0; proofs < 3; proofs += 1)
    await act(story, { do: 'review', transfer: 0, accepts: proofs > 0 }, true);
  for (const afterMs of [31 * second, 2 * second, 31 * second, 8 * 24 * hour, 26 * hour, 2 * second]) {
    await act(story, { do: 'deliver', afterMs: 0 }, true);
    await act(story, { do: 'jobs', afterMs }, true);
    await keepsTheLaws(world, watch);
  }
  const records = await recordsOf(world);
  const open = records.attempts.filter(({ state }) => state === 'INTENT' || state === 'PENDING');
  assert.deepEqual(open, [], 'an attempt has no end');
  const waiting = records.orders.filter(({ status }) => isOpen(status));
  assert.deepEqual(waiting, [], 'an order waits for ever');
  const booked = records.ledger.filter(({ kind, amount }) => kind === 'capture' && amount !== 0);
  assert.deepEqual(records.takings.map(({ key }) => key).toSorted(), booked.map((entry) => entry.attemptId).toSorted());
  assert.deepEqual(paidTwice(records), [], 'what was paid twice was not given back');
}
