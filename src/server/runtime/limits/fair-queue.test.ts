import { describe, expect, it } from 'vitest';
import { ApiRefusal } from '../request/api-error.ts';
import { createFairQueue } from './fair-queue.ts';

/** Work that the test ends. */
function pendingWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: resolve };
}

const nobody = async () => {};
const refusal = (error: unknown) => (error instanceof ApiRefusal ? [error.error, error.status] : error);

describe('dear work', () => {
  it('runs a few tasks at a time, and completes all that were admitted', async () => {
    const queue = createFairQueue({ concurrency: 2, capacity: 10, perNetwork: 10 });
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

  it('serves addresses in turn, so that a crowd delays a single visitor by one turn', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 10, perNetwork: 10 });
    const order: string[] = [];
    const first = pendingWork();
    const begin = queue.run('crowd', () => first.promise);
    const rest = ['crowd', 'crowd', 'crowd', 'visitor'].map((who) => queue.run(who, async () => void order.push(who)));
    first.end();
    await Promise.all([begin, ...rest]);
    expect(order).toEqual(['crowd', 'visitor', 'crowd', 'crowd']);
  });

  it('refuses whoever finds no room, or has taken their share, before anything is done; room that is left can be had again', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 3, perNetwork: 2 });
    const first = pendingWork();
    const inside = ['a', 'a', 'b'].map((who) => queue.admit(who, () => first.promise));
    const tries = await Promise.all(['a', 'c'].map((who) => queue.admit(who, nobody).catch(refusal)));
    expect(tries).toEqual([
      ['serviceBusy', 503],
      ['serviceBusy', 503],
    ]);
    first.end();
    await Promise.all(inside);
    await expect(queue.admit('a', nobody)).resolves.toBeUndefined();
  });

  it('counts all addresses of an IPv6 network as one caller, so that one /64 or /48 leaves places for others', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 10, perNetwork: 4 });
    const first = pendingWork();
    const inside: Promise<void>[] = [];
    const enter = (address: string) => {
      const admitted = queue.admit(address, () => first.promise);
      inside.push(admitted.catch(() => {}));
      return Promise.race([admitted.catch(refusal), new Promise((resolve) => setImmediate(resolve, 'admitted'))]);
    };
    for (let n = 0; n < 4; n += 1) await enter(`2001:db8:1:1::${n + 1}`);
    const answers = [
      await enter('2001:db8:1:1:ffff::9'),
      await enter('2001:db8:1:2::1'),
      await enter('2001:db8:1:3::1'),
    ];
    expect([...answers, await enter('2001:db8:1:4::1'), await enter('2001:db8:2:1::1')]).toEqual([
      ['serviceBusy', 503],
      'admitted',
      'admitted',
      ['serviceBusy', 503],
      'admitted',
    ]);
    first.end();
    await Promise.all(inside);
  });

  it('serves an IPv6 network once in each round, whatever its addresses', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 10, perNetwork: 10 });
    const order: string[] = [];
    const first = pendingWork();
    const begin = queue.run('2001:db8:1:1::1', () => first.promise);
    const callers = ['2001:db8:1:1::2', '2001:db8:1:2::3', '2001:db8:1:3::4', '203.0.113.1'];
    const rest = callers.map((address) => queue.run(address, async () => void order.push(address)));
    first.end();
    await Promise.all([begin, ...rest]);
    expect(order.indexOf('203.0.113.1')).toBe(1);
  });

  it('continues after a task that fails', async () => {
    const queue = createFairQueue({ concurrency: 1, capacity: 2, perNetwork: 2 });
    const broken = queue.admit('a', () => queue.run('a', async () => Promise.reject(new Error('broken'))));
    await expect(broken).rejects.toThrow('broken');
    expect(await queue.admit('a', () => queue.run('a', async () => 'fine'))).toBe('fine');
  });
});
