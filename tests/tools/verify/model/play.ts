import * as fc from 'fast-check';
import { ways } from '../payment-methods.ts';
import { anyStep } from './any-step.ts';
import { checkFinalState } from './final-state.ts';
import { assertInvariants, type Watch } from './invariants.ts';
import { aStory, type Story } from './purchase.ts';
import { renewingPlans } from './renewals.ts';
import { firstServices } from './services.ts';
import { act, type Step } from './steps.ts';
import { aWorld, movesSince, type Stage } from './world.ts';

/** A step, or several concurrent ones, as a command of fast-check. */
class StepsCommand implements fc.AsyncCommand<Watch, Story> {
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

/** Steps with a higher probability: mostly payments and their next steps. */
const frequentSteps = [
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
/** The steps of stories about renewals: mostly months pass. */
const renewalSteps = [
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
const asSingleCommands = (steps: readonly (typeof frequentSteps)[number][]) =>
  steps.map((step) => step.map((one) => new StepsCommand([one])));
/** Concurrent steps: those that neither end the process nor move the clock. */
const concurrentSteps = fc
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
  .map((steps) => new StepsCommand(steps.map((step) => ({ ...step, fault: undefined }))));

const topics = {
  orders: {
    brands: [...new Set(ways.map((way) => way.brand))],
    begins: fc.constant(undefined),
    steps: [...asSingleCommands([...Object.values(anyStep), ...frequentSteps]), concurrentSteps],
  },
  renewals: {
    brands: Object.keys(renewingPlans),
    // a month, bought with any of the renewing cards
    begins: anyStep.subscribe.map((step) => ({ ...step, plan: 0, fault: undefined })),
    steps: [...asSingleCommands(renewalSteps), concurrentSteps],
  },
} as const;

interface PlayOptions {
  readonly of: keyof typeof topics;
  readonly runs: number;
  readonly seed?: number | undefined;
  readonly length?: number;
}

/** The timeout of a story: a longer one waits for something that never happens. */
const storyTimeoutMs = 60_000;
/**
 * The time limit of a run, within a test's timeout of five minutes: reports a failed story even if it is not shrunk.
 */
const playTimeoutMs = 270_000;

/**
 * Plays random stories on a stage, each with a new customer. Rejects with the shortest story that violates an
 * invariant, and the seed that repeats it.
 */
export async function playStories(stage: Stage, { of, runs, seed, length = 40 }: PlayOptions): Promise<void> {
  const { brands, begins, steps } = topics[of];
  const brand = fc.constantFrom(...brands);
  const play = fc.asyncProperty(
    brand,
    begins,
    fc.commands([...steps], { maxCommands: length, size: 'max' }),
    (name, first, all) => playOne(stage, { brand: name, first }, all),
  );
  await fc.assert(play, {
    numRuns: runs,
    timeout: storyTimeoutMs,
    interruptAfterTimeLimit: playTimeoutMs,
    markInterruptAsFailure: true,
    ...(seed !== undefined && { seed }),
  });
}

/** Repeats a story that violated an invariant before; the steps of an inner list are concurrent. */
export async function playAgain(
  stage: Stage,
  { brand, steps }: { brand: string; steps: readonly (readonly Step[])[] },
): Promise<void> {
  await playOne(
    stage,
    { brand, first: undefined },
    steps.map((many) => new StepsCommand(many)),
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
  if (first) await new StepsCommand([first]).run(watch, story);
  await fc.asyncModelRun(() => ({ model: watch, real: story }), all);
  await checkFinalState(story, watch);
}
