import { useSyncExternalStore } from 'react';
import { probeDelay } from './probe-delay.ts';

/**
 * [Note: Network state] `navigator.onLine` is not believed: a failed request is the test (decisions, "Offline"). The
 * API client says how its requests ended. After a failure the server is asked for a sign of life, ever more rarely,
 * until one comes; then `onBack` listeners load again what failed.
 */
export type NetworkState = 'online' | 'offline';

const probePath = '/healthz';
const probeTimeoutMs = 10_000;

let state: NetworkState = 'online';
/** failures since the network was last steady */
let failures = 0;
let lastFailureAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let probing = false;
const watchers = new Set<() => void>();
const backListeners = new Set<() => void>();

function enter(next: NetworkState): void {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher();
}

/** Asks the server for a sign of life. Any answer that is not a failure of the server itself is one. */
export async function serverAnswers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const response = await fetch(probePath, { cache: 'no-store', credentials: 'omit', signal });
    return response.status < 500;
  } catch {
    // the expected outcome while there is no network
    return false;
  }
}

async function probe(): Promise<void> {
  clearTimeout(timer);
  if (state === 'online' || probing || document.hidden) return;
  probing = true;
  const answered = await serverAnswers();
  probing = false;
  if (!answered) {
    failures += 1;
    schedule();
    return;
  }
  enter('online');
  for (const listener of backListeners) listener();
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void probe(), probeDelay(failures, Math.random()));
}

const probeNow = () => void probe();

/** The browser's hints are no proof, but a good moment to ask. Called with the first failure, and once only. */
let listening = false;
function listenForHints(): void {
  if (listening) return;
  listening = true;
  window.addEventListener('online', probeNow);
  window.addEventListener('pageshow', probeNow);
  document.addEventListener('visibilitychange', probeNow);
}

/** A request ended without an answer, or with a saved copy in its place. */
export function noteFailure(now: number = Date.now()): void {
  if (steady(now)) failures = 0;
  lastFailureAt = now;
  if (state === 'offline') return;
  failures += 1;
  enter('offline');
  listenForHints();
  schedule();
}

/** A server that answers one address and not another must not be asked in a loop: only a quiet minute forgives. */
function steady(now: number): boolean {
  return state === 'online' && now - lastFailureAt > 60_000;
}

/** A request was answered by the server itself, whatever the answer. */
export function noteSuccess(): void {
  if (state === 'online') return;
  clearTimeout(timer);
  enter('online');
  for (const listener of backListeners) listener();
}

/** Calls `listener` each time the server is reached again after a failure; returns how to stop. */
export function onBack(listener: () => void): () => void {
  backListeners.add(listener);
  return () => void backListeners.delete(listener);
}

export const networkState = (): NetworkState => state;

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** Asks the server at once: what a Retry button does besides its own work. */
export const retryNetwork = probeNow;

export function useNetworkState(): NetworkState {
  return useSyncExternalStore(subscribe, networkState, () => 'online');
}
