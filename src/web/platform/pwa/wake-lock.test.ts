import { afterEach, expect, test, vi } from 'vitest';
import { holdWakeLock } from './wake-lock.ts';

/** A phone's screen: locks end when the page is hidden, and the phone may refuse one. */
function openScreen(refuses = false) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const locks: { released: boolean; release(): Promise<void> }[] = [];
  const request = vi.fn(async () => {
    if (refuses) throw new DOMException('The battery is low.', 'NotAllowedError');
    const lock = {
      released: false,
      release: async () => {
        lock.released = true;
      },
    };
    locks.push(lock);
    return lock;
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const turn = (state: 'visible' | 'hidden') => {
    if (state === 'hidden') for (const lock of locks) lock.released = true;
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { request, turn, lit: () => locks.filter(({ released }) => !released).length };
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

afterEach(() => vi.unstubAllGlobals());

test('the screen stays on while a payment is pending, and turns off as usual afterwards', async () => {
  const { lit, request } = openScreen();
  const stop = holdWakeLock();
  await soon();
  expect(lit()).toBe(1);
  stop();
  await soon();
  expect([lit(), request.mock.calls.length]).toEqual([0, 1]);
});

test('a page that becomes visible again keeps the screen on, and a hidden page requests no lock', async () => {
  const { lit, turn, request } = openScreen();
  const stop = holdWakeLock();
  await soon();
  turn('hidden');
  await soon();
  expect([lit(), request.mock.calls.length]).toEqual([0, 1]);
  turn('visible');
  await soon();
  expect([lit(), request.mock.calls.length]).toEqual([1, 2]);
  stop();
  turn('hidden');
  turn('visible');
  await soon();
  expect([lit(), request.mock.calls.length]).toEqual([0, 2]);
});

test('a payment that ends while the lock is being requested leaves no lock', async () => {
  const { lit } = openScreen();
  holdWakeLock()();
  await soon();
  expect(lit()).toBe(0);
});

test('a phone that refuses or lacks wake locks works without one and shows no error', async () => {
  const { request } = openScreen(true);
  const stop = holdWakeLock();
  await soon();
  expect(request).toHaveBeenCalledOnce();
  stop();
  vi.stubGlobal('navigator', {});
  holdWakeLock()();
});
