import { analyticsIdOf, type AnalyticsEvent, type PageName, report } from '#contract/analytics.ts';
import { analyticsVersion } from '#contract/limits.ts';
import { currentClientType } from '#web/platform/api/exchange.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { countedBrandKey, visitKey, analyticsQueueKey } from '#web/platform/session/storage/analytics-key.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

type Fields = AnalyticsEvent['fieldsMap'];
export type EventDetails = Pick<Fields, 'login_type' | 'duration' | 'order_status' | 'method_code'>;

/** Records an event of a page. Contains only listed values: no URL, no token, no input. */
export function track(content: Fields['event_content'], page: PageName, details: EventDetails = {}): void {
  if (typeof window === 'undefined') return;
  const brandId = countedBrandKey.get();
  enqueue({
    name: 'membersite_event',
    at: serverNow(),
    fieldsMap: {
      version: analyticsVersion,
      entrance_way: currentScene().entranceWay,
      ...(brandId === undefined ? {} : { brand_id: brandId }),
      session_id: visitId(),
      page_id: analyticsIdOf(page),
      page_name: page,
      language: activeLanguage(),
      terminal_type: currentClientType(),
      event_content: content,
      ...details,
    },
  });
}

/** Records a page view now, and its duration when the returned function is called. */
export function trackPage(page: PageName): () => void {
  const since = Date.now();
  track('page_view', page);
  return () => track('page_leave', page, { duration: Math.max(0, Date.now() - since) });
}

/** A random id of this tab's visit, without relation to the customer. */
function visitId(): string {
  const known = visitKey.get();
  if (known) return known;
  const id = uuid();
  visitKey.set(id);
  return id;
}

/** The oldest events are dropped beyond this, so that analytics do not fill a phone's storage. */
const maxQueued = 50;

let planned = false;
let sending = false;

/** Queues an event until a batch is sent, when the page is idle. */
function enqueue(event: AnalyticsEvent): void {
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
