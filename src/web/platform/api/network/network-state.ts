import { createListeners, createStore, useStore } from '#web/ui/store.ts';

const firstMs = 1000;
const longestMs = 30_000;

/**
 * How long to wait before the server is asked again, in milliseconds: doubling from one second to half a minute, with
 * a quarter of jitter so that a thousand phones do not return in the same second. `chance` is from 0 up to 1.
 */
export function probeDelay(failures: number, chance: number): number {
  const plain = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.round(plain * (0.75 + chance * 0.5));
}

/**
 * [Note: Network state] `navigator.onLine` is not believed: a failed request is the test. The
 * API client says how its requests ended. After a failure the server is asked for a sign of life until one comes; then
 * `onBack` listeners load again what failed.
 */
/** Answers when the shop can serve, its database included; asked by many at once, the database is asked once. */
const probePath = '/readyz';
/** Longer than the wait for the next one: on a wire that swallowed this one, the next may be the one that arrives. */
const probeTimeoutMs = 6000;

const offline = createStore(false);
/** failures since the network was last steady */
let failures = 0;
let lastFailureAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** probes since the last failure */
let probes = 0;
const back = createListeners();

/** Asks the server for a sign of life. Any answer that is not a failure of the server itself is one. */
export async function serverAnswers(): Promise<boolean> {
  const timeLimit = new AbortController();
  setTimeout(() => timeLimit.abort(), probeTimeoutMs);
  try {
    const { status } = await fetch(probePath, {
      cache: 'no-store',
      credentials: 'omit',
      signal: timeLimit.signal,
    });
    return status < 500;
  } catch {
    // the expected outcome while there is no network
    return false;
  }
}

function probe(): void {
  clearTimeout(timer);
  if (!offline.get() || document.hidden) return;
  // not when this one has failed: on a silent wire that takes as long as its timeout
  schedule(Math.min((probes += 1), 3));
  void serverAnswers().then((answered) => answered && recordNetworkSuccess());
}

function schedule(after: number): void {
  timer = setTimeout(probe, probeDelay(after, Math.random()));
}

/** The browser's hints are no proof, but a good moment to ask. A listener that is there already is not added again. */
function listenForHints(): void {
  window.addEventListener('online', probe);
  window.addEventListener('pageshow', probe);
  document.addEventListener('visibilitychange', probe);
}

/** A request ended without an answer, or with a saved copy in its place. */
export function recordNetworkFailure(now: number = Date.now()): void {
  if (steady(now)) failures = 0;
  lastFailureAt = now;
  if (offline.get()) return;
  failures += 1;
  probes = 0;
  offline.set(true);
  listenForHints();
  schedule(failures);
}

/** A server that answers one address and not another must not be asked in a loop: only a quiet minute forgives. */
function steady(now: number): boolean {
  return !offline.get() && now - lastFailureAt > 60_000;
}

/** A request was answered by the server itself, whatever the answer. */
export function recordNetworkSuccess(): void {
  if (!offline.get()) return;
  clearTimeout(timer);
  offline.set(false);
  back.tell();
}

/** Calls `listener` each time the server is reached again after a failure; returns how to stop. */
export const onBack = back.subscribe;

export const isOffline = offline.get;

/** Asks the server at once: what a Retry button does besides its own work. */
export const retryNetwork = probe;

export function useOffline(): boolean {
  return useStore(offline, false);
}

/** Whether the customer wishes to save data, where the browser tells it. */
export function savesData(): boolean {
  // not in TypeScript's DOM yet
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
