import { report, type AnalyticsEvent } from '#contract/analytics.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { analyticsQueueKey } from '#web/platform/session/storage/analytics-key.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

/** The oldest events are dropped beyond this, so that analytics do not fill a phone's storage. */
const maxQueued = 50;

let planned = false;
let sending = false;

/** Queues an event until a batch is sent, when the page is idle. */
export function enqueue(event: AnalyticsEvent): void {
  analyticsQueueKey.set([...(analyticsQueueKey.get() ?? []), event].slice(-maxQueued));
  plan();
}

/** Starts sending: events of the previous visit, and the queue whenever the page is hidden or shown again. */
export function startQueue(): void {
  document.addEventListener('visibilitychange', () => void flush());
  window.addEventListener('online', plan);
  if (analyticsQueueKey.get()) plan();
}

function plan(): void {
  if (planned) return;
  planned = true;
  whenIdle(() => {
    planned = false;
    void flush();
  });
}

/**
 * Sends the queue once. Events whose outcome is unknown stay queued; refused ones are removed, because they would be
 * refused again.
 */
export async function flush(): Promise<void> {
  const events = analyticsQueueKey.get() ?? [];
  if (sending || events.length === 0) return;
  sending = true;
  try {
    await call(report, { body: { events } }, { quiet: true, keepalive: true });
    dropFirst(events.length);
  } catch (error) {
    if (!isOutcomeUnknown(error)) dropFirst(events.length);
  } finally {
    sending = false;
  }
}

/** This tab or another may have queued more meanwhile. */
function dropFirst(count: number): void {
  const rest = (analyticsQueueKey.get() ?? []).slice(count);
  if (rest.length > 0) analyticsQueueKey.set(rest);
  else analyticsQueueKey.remove();
}
