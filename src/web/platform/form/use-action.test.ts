import { MutationObserver, onlineManager, QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSingleFlight, mutationOptions } from './use-api-mutation.ts';

const later = (ms = 5) => new Promise<string>((resolve) => void setTimeout(() => resolve('done'), ms));

describe('An action', () => {
  it('runs once for two taps at once, and takes the next tap after it', async () => {
    const flight = createSingleFlight();
    let count = 0;
    const act = () => ((count += 1), later());
    const [first, second] = await Promise.all([flight.start(act), flight.start(act)]);
    expect([first, second, count]).toEqual(['done', undefined, 1]);
    expect(await flight.start(act)).toBe('done');
  });

  it('takes the next tap after a fault, and passes the fault on', async () => {
    const flight = createSingleFlight();
    await expect(flight.start(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
    const thrown = () => {
      throw new TypeError('a fault at once');
    };
    await expect(flight.start(thrown)).rejects.toThrow('at once');
    expect(flight.isRunning()).toBe(false);
    expect(await flight.start(later)).toBe('done');
  });
});

/** The observer that `useAction` uses, with a subscriber like a component. */
function observe() {
  const client = new QueryClient();
  const observer = new MutationObserver(client, {
    mutationFn: (run: () => Promise<string>) => run(),
    ...mutationOptions,
  });
  return { client, observer };
}

describe('The mutation of an action', () => {
  afterEach(() => onlineManager.setOnline(true));

  it('is sent while the browser reports no network', async () => {
    onlineManager.setOnline(false);
    const { observer } = observe();
    expect(await observer.mutate(later)).toBe('done');
  });

  it('is no longer pending after a remount in the middle of it', async () => {
    const { observer } = observe();
    const unmount = observer.subscribe(() => undefined);
    const sent = observer.mutate(() => later(20));
    expect(observer.getCurrentResult().isPending).toBe(true);
    unmount();
    observer.subscribe(() => undefined);
    expect(observer.getCurrentResult().isPending).toBe(true);
    await sent;
    await expect.poll(() => observer.getCurrentResult()).toMatchObject({ isPending: false, data: 'done' });
    expect(await observer.mutate(later)).toBe('done');
  });

  it('sets no timers one after the other while it waits for an answer after its component is gone', async () => {
    const { observer } = observe();
    const unmount = observer.subscribe(() => undefined);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const sent = observer.mutate(() => later(100));
    unmount();
    await sent;
    expect(timers.mock.calls.length).toBeLessThan(5);
    timers.mockRestore();
  });

  it('is sent and answered by a component that is gone', async () => {
    const { observer } = observe();
    observer.subscribe(() => undefined)();
    expect(await observer.mutate(later)).toBe('done');
  });

  it('ends as usual when the session ends in the middle of it', async () => {
    const { client, observer } = observe();
    observer.subscribe(() => undefined);
    const sent = observer.mutate(() => later(20));
    client.getMutationCache().clear();
    await sent;
    await expect.poll(() => observer.getCurrentResult()).toMatchObject({ isPending: false, data: 'done' });
  });
});
