import type { AnalyticsEvent } from '#contract/analytics.ts';
import { analyticsIdOf, type PageName } from '#contract/paths.ts';
import { analyticsVersion } from '#contract/limits.ts';
import { currentClientType } from '#web/platform/api/exchange.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { currentScene } from '#web/platform/entry/scene.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { countedBrandKey, visitKey } from '#web/platform/session/storage/analytics-key.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { enqueue } from './queue.ts';

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
