import { createListeners, createStore, useStore } from '#web/ui/store.ts';

const firstMs = 1000;
const longestMs = 30_000;

/**
 * The delay before the next probe, in milliseconds: doubles from one second to half a minute, with 25 percent jitter so
 * that a thousand phones do not reconnect in the same second. `chance` is a random number from 0 up to 1.
 */
export function probeDelay(failures: number, chance: number): number {
  const plain = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.round(plain * (0.75 + chance * 0.5));
}

/**
 * [Note: Network state] `navigator.onLine` is unreliable: a failed request is the test. The API client reports how its
 * requests ended. After a failure the server is probed until it answers; then `onReconnect` listeners load again what
 * failed.
 */
/** Succeeds when the server and its database are available; concurrent probes share one database query. */
const probePath = '/readyz';
/** Longer than the delay until the next probe: on a connection that lost this probe, the next one may arrive. */
const probeTimeoutMs = 6000;

/**
 * What does not answer, as far as is known. `navigator.onLine` is reliable only where it is false, so it selects a text
 * and decides nothing.
 */
type Loss = 'device' | 'store';
const lossNow = (): Loss => (navigator.onLine ? 'store' : 'device');
const offline = createStore<Loss | undefined>(undefined);
/** failures since the network was last stable */
let failures = 0;
let lastFailureAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** probes since the last failure */
let probes = 0;
const back = createListeners();

/** Probes the server. Any answer below status 500 is a success. */
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
    // expected while offline
    return false;
  }
}

function probe(): void {
  clearTimeout(timer);
  // a timer of a test may fire when the browser of the test is gone
  if (!offline.get() || typeof document === 'undefined' || document.hidden) return;
  offline.set(lossNow());
  // Scheduled before the probe settles: without any response it fails only after its timeout.
  schedule(Math.min((probes += 1), 3));
  void serverAnswers().then((answered) => answered && recordNetworkSuccess());
}

function schedule(after: number): void {
  timer = setTimeout(probe, probeDelay(after, Math.random()));
}

/** The browser's events prove nothing, but are a good time to probe. Adding a listener twice has no effect. */
function listenForHints(): void {
  window.addEventListener('online', probe);
  window.addEventListener('pageshow', probe);
  document.addEventListener('visibilitychange', probe);
}

/** Call when a request ended without an answer, or with a saved copy. */
export function recordNetworkFailure(now: number = Date.now()): void {
  if (steady(now)) failures = 0;
  lastFailureAt = now;
  if (offline.get()) return;
  failures += 1;
  probes = 0;
  offline.set(lossNow());
  listenForHints();
  schedule(failures);
}

/**
 * A server that fails one URL and answers others must not be probed in a loop: only a minute without failures resets
 * the count.
 */
function steady(now: number): boolean {
  return !offline.get() && now - lastFailureAt > 60_000;
}

/** Call when the server itself has answered, whatever the answer. */
export function recordNetworkSuccess(): void {
  if (!offline.get()) return;
  clearTimeout(timer);
  offline.set(undefined);
  back.tell();
}

/** Calls `listener` each time the server is reachable again after a failure; returns the function that removes it. */
export const onReconnect = back.subscribe;

export const isOffline = (): boolean => offline.get() !== undefined;

/** Probes the server at once, for a Retry button. */
export const retryNetwork = probe;

/** What does not answer; undefined while the server does. */
export const useLoss = (): Loss | undefined => useStore(offline, undefined);

/** Whether the customer has enabled data saving, where the browser reports it. */
export function hasDataSaver(): boolean {
  // missing in TypeScript's DOM types
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
