import * as fc from 'fast-check';
import { ways } from '../ways.ts';
import { anyStep } from './any-step.ts';
import { checkFinalState } from './ending.ts';
import { assertInvariants, type Watch } from './laws.ts';
import { aStory, type Story } from './purchase.ts';
import { renewingPlans } from './renewals.ts';
import { firstServices } from './services.ts';
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
    const afterDay = () => assertInvariants(story.world, watch);
    await Promise.all(this.steps.map((step) => act(story, step, { alone, afterDay })));
    await assertInvariants(story.world, watch);
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
  anyStep.sendRefund,
];
/** Somebody lets a plan renew, months pass, and the rest happens now and then. */
const renewing = [
  anyStep.subscribe,
  anyStep.live,
  anyStep.live,
  anyStep.live,
  anyStep.live,
  anyStep.live,
  anyStep.rule,
  anyStep.rule,
  anyStep.notice,
  anyStep.repay,
  anyStep.jobs,
  anyStep.restart,
  anyStep.leave,
];
const oneByOne = (steps: readonly (typeof often)[number][]) =>
  steps.map((step) => step.map((one) => new Happening([one])));
/** At once goes what does not end the process and does not move the clock under the others. */
const beside = fc
  .array(
    fc.oneof(
      anyStep.pay,
      anyStep.repay,
      anyStep.again,
      anyStep.act,
      anyStep.press,
      anyStep.unbind,
      anyStep.notice,
      anyStep.subscribe,
      anyStep.rule,
    ),
    {
      minLength: 2,
      maxLength: 4,
    },
  )
  .map((steps) => new Happening(steps.map((step) => ({ ...step, fault: undefined }))));

const about = {
  orders: {
    brands: [...new Set(ways.map((way) => way.brand))],
    begins: fc.constant(undefined),
    steps: [...oneByOne([...Object.values(anyStep), ...often]), beside],
  },
  renewals: {
    brands: Object.keys(renewingPlans),
    // a month, bought by a card that does anything later
    begins: anyStep.subscribe.map((step) => ({ ...step, plan: 0, fault: undefined })),
    steps: [...oneByOne(renewing), beside],
  },
} as const;

interface Play {
  readonly of: keyof typeof about;
  readonly runs: number;
  readonly seed?: number | undefined;
  readonly length?: number;
}

/** No story takes a minute; one that does waits for something that never comes. */
const longestStory = 60_000;
/** The rest of a test's five minutes is for shortening the story that failed: a long one is told sooner than none. */
const longestPlay = 270_000;

/**
 * Plays so many stories on a stage, each with a customer of its own; rejects with the shortest one that breaks a law, and
 * the seed that plays it again.
 */
export async function playStories(stage: Stage, { of, runs, seed, length = 40 }: Play): Promise<void> {
  const { brands, begins, steps } = about[of];
  const brand = fc.constantFrom(...brands);
  const play = fc.asyncProperty(
    brand,
    begins,
    fc.commands([...steps], { maxCommands: length, size: 'max' }),
    (name, first, all) => playOne(stage, { brand: name, first }, all),
  );
  await fc.assert(play, {
    numRuns: runs,
    timeout: longestStory,
    interruptAfterTimeLimit: longestPlay,
    markInterruptAsFailure: true,
    ...(seed !== undefined && { seed }),
  });
}

/** Plays one story again that has broken a law before; what stands in one list happens at once. */
export async function playAgain(
  stage: Stage,
  { brand, steps }: { brand: string; steps: readonly (readonly Step[])[] },
): Promise<void> {
  await playOne(
    stage,
    { brand, first: undefined },
    steps.map((many) => new Happening(many)),
  );
}

async function playOne(
  stage: Stage,
  { brand, first }: { brand: string; first: Step | undefined },
  all: Iterable<fc.AsyncCommand<Watch, Story, boolean>>,
): Promise<void> {
  const story = aStory(await aWorld(stage, brand));
  const { trial } = story.world;
  const watch: Watch = {
    seen: (await movesSince(stage, 0)).at(-1)?.seq ?? 0,
    services: firstServices(trial),
    whileOff: undefined,
    isGone: false,
    tokens: new Set(),
  };
  if (first) await new Happening([first]).run(watch, story);
  await fc.asyncModelRun(() => ({ model: watch, real: story }), all);
  await checkFinalState(story, watch);
}
