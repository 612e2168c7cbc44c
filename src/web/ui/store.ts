import { useSyncExternalStore } from 'react';

export interface Listeners<Said extends unknown[]> {
  /** calls `listener` each time; the answer stops it */
  subscribe(listener: (...said: Said) => void): () => void;
  tell(...said: Said): void;
}

/** Those who want to hear of something. */
export function createListeners<Said extends unknown[] = []>(): Listeners<Said> {
  const listeners = new Set<(...said: Said) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (...said) => {
      for (const listener of listeners) listener(...said);
    },
  };
}

export interface Store<T> {
  get(): T;
  /** tells the subscribers, unless it is the same value */
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

/** One value outside of React, for whoever wants to know it. */
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

/** The value for a component; `onServer` is what HTML of the server shows, and what it is taken over with. */
export function useStore<T>({ subscribe, get }: Pick<Store<T>, 'subscribe' | 'get'>, onServer: T): T {
  return useSyncExternalStore(subscribe, get, () => onServer);
}
