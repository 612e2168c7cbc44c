import type { report } from '#contract/analytics.ts';
import type { Parsed } from '#contract/endpoint.ts';
import { analyticsEvents } from '#server/db/schema/analytics.ts';
import { countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Limits for events of one network; a page reports a few, and a carrier's customers share an IPv4 address. */
const ofNetwork = {
  minute: { tries: 1200, windowMs: minuteMs },
  day: { tries: 50_000, windowMs: dayMs },
};

type Event = Parsed<typeof report>['body']['events'][number];

/**
 * What the storefront sends: words and IDs. The contract allows any text, so that the browser does not load patterns.
 */
const patterns: Readonly<Partial<Record<keyof Event['fieldsMap'], RegExp>>> = {
  version: /^[\d.]{1,12}$/,
  brand_id: /^[\w-]{1,40}$/,
  session_id: /^[\w-]{1,40}$/,
  page_name: /^[\w-]{1,40}$/,
  order_status: /^[A-Z_]{1,24}$/,
  method_code: /^[\w-]{1,32}$/,
};

const isOurs = ({ fieldsMap }: Event) =>
  Object.entries(patterns).every(([name, pattern]) => {
    // as: the keys of `patterns` are fields
    const value = fieldsMap[name as keyof Event['fieldsMap']];
    return value === undefined || pattern.test(String(value));
  });

/**
 * Stores events as received: they contain listed words and numbers only, and no names. A time in the future is
 * replaced by now, so that retention applies. The endpoint needs no account, so events are limited by network and by
 * brand; those beyond the brand's daily limit, or with invalid fields, are dropped and counted in a metric.
 */
export const recordEvents: Handler<typeof report> = async ({ body }, { deps, brand, ip, user, refuse }) => {
  const now = deps.clock();
  const { db, metrics, env } = deps;
  const drop = (limit: 'analytics_network' | 'analytics_brand' | 'analytics_fields', count: number) =>
    count > 0 && metrics.refused(limit, brand.code, count);
  const sent = body.events.length;
  for (const [name, limit] of Object.entries(ofNetwork)) {
    const taken = await countTryFrom(db, `report ${name} ${brand.code}`, ip, limit, now, sent);
    if (taken.allowed) continue;
    drop('analytics_network', sent);
    return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  }
  const events = body.events.filter(isOurs);
  drop('analytics_fields', sent - events.length);
  if (events.length === 0) return {};
  const aDay = { tries: env.ANALYTICS_EVENTS_PER_DAY, windowMs: dayMs };
  const ofBrand = await countTry(db, `report day ${brand.code}`, aDay, now, events.length);
  if (!ofBrand.allowed) {
    drop('analytics_brand', events.length);
    return {};
  }
  await db.insert(analyticsEvents).values(
    events.map((event) => ({
      id: deps.random.id(),
      brand: brand.code,
      at: Math.min(event.at, now),
      fields: { ...event.fieldsMap, signed_in: user !== null },
    })),
  );
  return {};
};
