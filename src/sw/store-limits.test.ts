import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyOrNetwork, offlineCopyWaitMs, limitLifetimes } from './store-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);
const failed = () => Promise.reject(new TypeError('Failed to fetch'));
const copy = new Response('copy');
const fresh = new Response('fresh');
const after = (ms: number, response: Response | undefined) =>
  new Promise<Response | undefined>((resolve) => setTimeout(() => resolve(response), ms));

describe('a cache of the worker', () => {
  it('serves its copy without a request', async () => {
    const network = vi.fn(() => Promise.resolve(fresh));
    expect(await copyOrNetwork(Promise.resolve(copy), network)).toBe(copy);
    expect(network).not.toHaveBeenCalled();
  });

  const broken = {
    'has no copy': () => Promise.resolve(undefined),
    throws: () => Promise.reject(new DOMException('', 'SecurityError')),
    'never answers': () => never,
  };
  it.each(Object.entries(broken))('that %s falls back to the network within a second', async (_what, open) => {
    const ended = vi.fn();
    void copyOrNetwork(open(), () => Promise.resolve(fresh)).then(ended);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toHaveBeenCalledWith(fresh);
  });

  it('that is late still serves if the network fails', async () => {
    const answer = copyOrNetwork(after(2_000, copy), failed);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toBe(copy);
  });

  it("that never answers fails with the network's error", async () => {
    const answer = copyOrNetwork(never, failed).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(offlineCopyWaitMs + 1_000);
    expect(await answer).toBeInstanceOf(TypeError);
  });
});

describe('an event of the worker', () => {
  const limits = { activate: 1_000, fetch: 30_000, message: 120_000 };
  const work = new Map<string, Promise<unknown>>();
  const open = (type: string) => {
    const scope = new EventTarget();
    limitLifetimes(scope);
    scope.addEventListener(type, (event) => (event as ExtendableEvent).waitUntil(never)); // as: it gets the method below
    scope.dispatchEvent(
      Object.assign(new Event(type), { waitUntil: (promise: Promise<unknown>) => void work.set(type, promise) }),
    );
  };

  it.each(Object.entries(limits))('of the type %s ends if a cache never answers', async (type, limitMs) => {
    open(type);
    await vi.advanceTimersByTimeAsync(limitMs);
    await work.get(type);
  });

  it('that installs the worker waits for all files', () => {
    open('install');
    expect(work.get('install')).toBe(never);
  });
});
