import * as fc from 'fast-check';
import { ways } from '../ways.ts';
import { anyStep } from './any-step.ts';
import { endsWell } from './ending.ts';
import { keepsTheLaws, type Watch } from './laws.ts';
import { aStory, type Story } from './purchase.ts';
import { noServices } from './services.ts';
import { act, type Step } from './steps.ts';
import { aWorld, movesSince, type Stage } from './world.ts';

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
  anyStep.pay,
  anyStep.pay,
  anyStep.act,
  anyStep.act,
  anyStep.act,
  anyStep.repay,
  anyStep.notice,
  anyStep.press,
  anyStep.jobs,
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
