import { useSyncExternalStore } from 'react';

interface Listeners<Args extends unknown[]> {
  /** calls `listener` each time; the returned function removes it */
  subscribe(listener: (...args: Args) => void): () => void;
  tell(...args: Args): void;
}

/** A set of listeners. */
export function createListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (...args) => {
      for (const listener of listeners) listener(...args);
    },
  };
}

interface Store<T> {
  get(): T;
  /** notifies the subscribers, unless the value is the same */
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

/** One value outside of React, with subscribers. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const { subscribe, tell } = createListeners();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      tell();
    },
    subscribe,
  };
}

/** The value for a component; `onServer` is the value in HTML of the server and during hydration. */
export function useStore<T>({ subscribe, get }: Pick<Store<T>, 'subscribe' | 'get'>, onServer: T): T {
  return useSyncExternalStore(subscribe, get, () => onServer);
}
