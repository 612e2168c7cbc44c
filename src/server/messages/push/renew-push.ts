import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type * as contract from '#contract/push.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import { pushSubscriptions } from '#server/db/schema/push.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { isReadable } from './vapid.ts';
import { pushEndpoint } from './push-services.ts';

/** Browsers almost never renew, but one network contains many of them. */
const limit = { tries: 60, windowMs: 60 * 60_000 };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The subscription stays with its session, and its watches and reminders are unchanged. */
export const renewPush: Handler<typeof contract.renewPush> = async ({ body }, { deps, brand, ip, refuse }) => {
  const { db, env, clock } = deps;
  const { old, endpoint, keys } = body;
  if (!pushEndpoint(endpoint, env)) refuseInput('endpoint');
  if (!isReadable(keys.p256dh)) refuseInput('p256dh');
  const taken = await countTryFrom(db, 'renew push', ip, limit, clock());
  if (!taken.allowed) return refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  const at = (address: string) => and(eq(pushSubscriptions.brand, brand.code), eq(pushSubscriptions.endpoint, address));
  const [known] = await db.select().from(pushSubscriptions).where(at(old.endpoint));
  if (!known || !timingSafeEqual(digest(known.auth), digest(old.auth))) return {};
  await db
    .update(pushSubscriptions)
    .set({ endpoint, p256dh: keys.p256dh, auth: keys.auth })
    .where(and(at(old.endpoint), eq(pushSubscriptions.id, known.id), eq(pushSubscriptions.auth, known.auth)));
  return {};
};
