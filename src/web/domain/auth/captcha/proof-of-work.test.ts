import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { solveWork, type ProofOfWorkTask } from './proof-of-work.ts';

const salt = 'a-salt_of-24-characters0';
const work = (number: number, max = 5000): ProofOfWorkTask => ({
  salt,
  challenge: createHash('sha256').update(`${salt}${number}`).digest('hex'),
  max,
});

test.each([0, 63, 64, 4321, 5000])('finds %i, which another implementation of SHA-256 chose', async (number) => {
  expect(await solveWork(work(number))).toBe(number);
});

test('stops at the last number if none fits', async () => {
  expect(await solveWork(work(5001))).toBeUndefined();
  expect(await solveWork({ salt, challenge: '0'.repeat(64), max: 200 })).toBeUndefined();
});

test('reports its progress, and stops when it is aborted', async () => {
  const shares: number[] = [];
  const controller = new AbortController();
  const found = await solveWork(work(-1, 5_000_000), {
    signal: controller.signal,
    onProgress: (share) => {
      shares.push(share);
      if (shares.length === 3) controller.abort();
    },
  });
  expect(found).toBeUndefined();
  expect(shares).toHaveLength(3);
  expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
});

test('lets the page handle events in between', async () => {
  let beats = 0;
  const heart = setInterval(() => (beats += 1), 1);
  await solveWork(work(-1, 60_000));
  clearInterval(heart);
  expect(beats).toBeGreaterThan(0);
});
