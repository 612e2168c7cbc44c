import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/**
 * Files that take longer than their size tells, as each plays a model, kills processes or starts whole shops. At the end,
 * one process would be left to work while the others have nothing to do.
 */
const slowest = [
  'order-model',
  'renewal-model',
  'money-kills',
  'production',
  'jobs-indexes',
  'backup',
  'sandbox-tables',
  'fuzz',
  'money-faults',
].map((name) => `/${name}.test.ts`);

/** Vitest's own order, which goes by size where no earlier run has left its times, as in a fresh clone. */
export class SlowestFirst implements TestSequencer {
  readonly #vitest: Vitest;

  constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await (await this.#own()).sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slowest.some((end) => moduleId.endsWith(end));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.#own()).shard(files);
  }

  /** Loaded when tests run: a build reads the same configuration. */
  async #own(): Promise<TestSequencer> {
    const { BaseSequencer } = await import('vitest/node');
    return new BaseSequencer(this.#vitest);
  }
}
