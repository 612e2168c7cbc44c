import { report, type AnalyticsEvent } from '#contract/analytics.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { analyticsQueueKey } from '#web/platform/session/storage/analytics-key.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

/** The oldest give way: what is counted is worth less than a phone's storage. */
const maxQueued = 50;

let planned = false;
let sending = false;

/** Keeps an event until it can be sent: together with others, when the phone is idle. */
export function enqueue(event: AnalyticsEvent): void {
  analyticsQueueKey.set([...(analyticsQueueKey.get() ?? []), event].slice(-maxQueued));
  plan();
}

/** Starts sending: what is left of the last visit, and what is queued whenever the page is hidden or shown again. */
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

/** Sends the queue once. What did not arrive stays for later; what was refused would be refused again, so it goes. */
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

/** Others may have been queued meanwhile, by this tab or another. */
function dropFirst(count: number): void {
  const rest = (analyticsQueueKey.get() ?? []).slice(count);
  if (rest.length > 0) analyticsQueueKey.set(rest);
  else analyticsQueueKey.remove();
}
