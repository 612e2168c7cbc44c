import type { report } from '../../contract/analytics.ts';
import { analyticsEvents } from '../db/schema/analytics.ts';
import { takeTryFrom } from '../limits/throttle.ts';
import { refuse } from '../request/api-error.ts';
import type { Handler } from '../request/bind.ts';

/** Reports of one address in one minute; a page sends a handful. */
const limit = { tries: 120, windowMs: 60_000 };

/**
 * Keeps events as they came: they hold words from lists and numbers only, and nobody's name. What a phone dates into the
 * future is dated now, so that it goes when its time has come.
 */
export const recordEvents: Handler<typeof report> = async ({ body }, { deps, brand, ip, user }) => {
  const now = deps.clock();
  const taken = await takeTryFrom(deps.db, `report ${brand.code}`, ip, limit, now);
  if (!taken.allowed) refuse(-3031, { waitSeconds: taken.waitSeconds });
  await deps.db.insert(analyticsEvents).values(
    body.events.map((event) => ({
      id: deps.random.id(),
      brand: brand.code,
      at: Math.min(event.at, now),
      fields: { ...event.fieldsMap, signed_in: user !== null },
    })),
  );
  return {};
};
