import { describe, expect, it } from 'vitest';
import { ApiRefusal } from '../request/api-error.ts';
import { createFairQueue } from './fair-queue.ts';

/** Work that a test ends when it wants to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: resolve };
}

const nobody = async () => {};
const refusal = (error: unknown) => (error instanceof ApiRefusal ? [error.code, error.status] : error);

describe('dear work', () => {
  it('is done by few at a time, and by everybody who is inside in the end', async () => {
    const queue = createFairQueue({ concurrency: 2, capacity: 10, perAddress: 10 });
    let [now, most, done] = [0, 0, 0];
    const work = async () => {
      now += 1;
      most = Math.max(most, now);
      await nobody();
      now -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 10 }, (_, n) => queue.admit(`${n}`, () => queue.run(`${n}`, work))));
    expect([most, done]).toEqual([2, 10]);
  });

  it('calls the addresses in turns, so that a crowd delays a single visitor by one turn', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 10, perAddress: 10 });
    const order: string[] = [];
    const first = held();
    const begin = queue.run('crowd', () => first.promise);
    const rest = ['crowd', 'crowd', 'crowd', 'visitor'].map((who) => queue.run(who, async () => void order.push(who)));
    first.end();
    await Promise.all([begin, ...rest]);
    expect(order).toEqual(['crowd', 'visitor', 'crowd', 'crowd']);
  });

  it('refuses whoever finds no room, or has taken their share, before anything is done; room that is left can be had again', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 3, perAddress: 2 });
    const first = held();
    const inside = ['a', 'a', 'b'].map((who) => queue.admit(who, () => first.promise));
    const tries = await Promise.all(['a', 'c'].map((who) => queue.admit(who, nobody).catch(refusal)));
    expect(tries).toEqual([
      [-24040, 503],
      [-24040, 503],
    ]);
    first.end();
    await Promise.all(inside);
    await expect(queue.admit('a', nobody)).resolves.toBeUndefined();
  });

  it('goes on after work that fails', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 2, perAddress: 2 });
    const broken = queue.admit('a', () => queue.run('a', async () => Promise.reject(new Error('broken'))));
    await expect(broken).rejects.toThrow('broken');
    expect(await queue.admit('a', () => queue.run('a', async () => 'fine'))).toBe('fine');
  });
});
