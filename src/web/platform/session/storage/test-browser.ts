import { vi } from 'vitest';

/** For tests in Node: a store like a browser's. */
export class TestStorage implements Storage {
  readonly #values = new Map<string, string>();
  get length(): number {
    return this.#values.size;
  }
  key(index: number): string | null {
    return [...this.#values.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }
  removeItem(key: string): void {
    this.#values.delete(key);
  }
  clear(): void {
    this.#values.clear();
  }
}

export interface TestBrowser {
  readonly localStorage: Storage;
  readonly sessionStorage: Storage;
  readonly events: EventTarget;
}

/** Sets up a window with stores and events; `vi.unstubAllGlobals()` removes it. */
export function openBrowser(stores: Partial<Pick<TestBrowser, 'localStorage' | 'sessionStorage'>> = {}): TestBrowser {
  const events = new EventTarget();
  const browser = { localStorage: new TestStorage(), sessionStorage: new TestStorage(), ...stores, events };
  const listens = {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  const { localStorage, sessionStorage } = browser;
  vi.stubGlobal('window', { localStorage, sessionStorage, innerWidth: 1280, ...listens });
  vi.stubGlobal('document', { hidden: false, readyState: 'complete', documentElement: { dataset: {} }, ...listens });
  return browser;
}
