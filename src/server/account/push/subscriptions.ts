import { and, asc, desc, eq, inArray, not, sql } from 'drizzle-orm';
import type { Payload } from '#contract/endpoint.ts';
import * as contract from '#contract/push.ts';
import { lockCustomer } from '#server/auth/users.ts';
import type { SessionUser, CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { deviceOf } from '#server/runtime/user-agent.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { Database } from '#server/db/connect.ts';
import { isOpenOrder, orders } from '#server/db/schema/orders.ts';
import { pushSubscriptions, pushWatches } from '#server/db/schema/push.ts';
import { sessions } from '#server/db/schema/users.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { pushEndpoint, isValidPublicKey, vapidKeys } from '#server/messages/push/send-push.ts';
import { nextReminderAt, reminderAt } from '#server/messages/push/write-push.ts';

/** More than any customer needs; each subscription causes messages to a browser. */
const limit = { tries: 60, windowMs: 60 * 60_000 };
const firstLookMs = 60_000;

const ownedBy = ({ brand, uid }: SessionUser) =>
  and(eq(pushSubscriptions.brand, brand), eq(pushSubscriptions.uid, uid));

type SubscribeBody = Parameters<Handler<typeof contract.subscribePush>>[0]['body'];

export const listPush: Handler<typeof contract.listPush> = async (_, { deps, brand, user, tokenHash }) => {
  const { db, env } = deps;
  const own = await db
    .select()
    .from(pushSubscriptions)
    .where(ownedBy(user))
    .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
    .limit(contract.maxPushSubscriptions);
  const ids = own.map(({ id }) => id);
  const watches = await db
    .select({ id: pushWatches.subscriptionId, orderId: pushWatches.orderId })
    .from(pushWatches)
    .where(inArray(pushWatches.subscriptionId, ids))
    .orderBy(asc(pushWatches.createdAt));
  const subscriptions: Payload<typeof contract.listPush>['subscriptions'] = own.map((one) => ({
    id: one.id,
    device: one.device,
    model: one.model,
    since: one.createdAt,
    expiry: one.remindAt !== null,
    orders: watches.filter(({ id }) => id === one.id).map(({ orderId }) => orderId),
    here: one.sessionHash === tokenHash,
  }));
  return { key: vapidKeys(env, brand.code).publicKey, subscriptions };
};

export const subscribePush: Handler<typeof contract.subscribePush> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { db, env, clock } = deps;
  if (!pushEndpoint(body.endpoint, env)) refuseInput('endpoint');
  if (!isValidPublicKey(body.keys.p256dh)) refuseInput('p256dh');
  if (body.key !== vapidKeys(env, brand.code).publicKey) return context.refuse('operationUnsupported');
  const taken = await countTry(db, `push ${brand.code} ${user.uid}`, limit, clock());
  if (!taken.allowed) return context.refuse('tooManyFailures', { waitSeconds: taken.waitSeconds });
  return db.transaction(async (tx) => {
    await lockSession(tx, context);
    const id = await saveSubscription(tx, body, context);
    if (body.about.type === 'payment') await watch(tx, id, body.about.orderId, context);
    else await remind(tx, id, user, clock());
    return { id };
  });
};

export const endPush: Handler<typeof contract.endPush> = async ({ body }, { deps, user }) => {
  await deps.db.delete(pushSubscriptions).where(and(ownedBy(user), eq(pushSubscriptions.id, body.id)));
  return {};
};

/** Locks the customer first, as everywhere ([Note: Eviction]), then the session. */
async function lockSession(tx: Database, { user, tokenHash, refuse }: CustomerContext): Promise<void> {
  await lockCustomer(tx, user);
  const locked = await tx
    .select({ uid: sessions.uid })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash ?? ''), eq(sessions.brand, user.brand)))
    .for('key share');
  if (locked.length === 0) return refuse('invalidToken');
}

/**
 * A browser has one subscription, and a session one browser. The last session that subscribes with it owns it, and its
 * previous notifications end; a browser with a renewed subscription retains its notifications.
 */
async function saveSubscription(
  tx: Database,
  wish: SubscribeBody,
  { deps, user, tokenHash, language, userAgent }: CustomerContext,
) {
  const { brand, endpoint, sessionHash } = pushSubscriptions;
  const ofSession = eq(sessionHash, tokenHash ?? '');
  const { p256dh, auth } = wish.keys;
  const same = { endpoint: wish.endpoint, p256dh, auth, vapidKey: wish.key, language };
  await tx.delete(pushSubscriptions).where(and(eq(brand, user.brand), eq(endpoint, wish.endpoint), not(ofSession)));
  const [own] = await tx
    .update(pushSubscriptions)
    .set(same)
    .where(and(ownedBy(user), ofSession))
    .returning({ id: pushSubscriptions.id });
  if (own) return own.id;
  await deleteExcess(tx, user);
  const id = deps.random.id();
  await tx.insert(pushSubscriptions).values({
    ...same,
    ...deviceOf(userAgent),
    id,
    brand: user.brand,
    uid: user.uid,
    // locked above, so it is not null
    sessionHash: tokenHash ?? '',
    createdAt: deps.clock(),
  });
  return id;
}

async function deleteExcess(tx: Database, user: SessionUser): Promise<void> {
  const excess = tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(ownedBy(user))
    .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
    .offset(contract.maxPushSubscriptions - 1);
  await tx.delete(pushSubscriptions).where(and(ownedBy(user), inArray(pushSubscriptions.id, excess)));
}

/** An order that is paid meanwhile is reported by the job that checks watches. */
async function watch(
  tx: Database,
  subscriptionId: string,
  orderId: string,
  { deps, user, refuse }: CustomerContext<'operationUnsupported' | 'orderNotFound'>,
) {
  const { brand, uid } = user;
  const [order] = await tx
    .select({ isOpen: sql<boolean>`${isOpenOrder(orders)}` })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.orderId, orderId)));
  if (!order) return refuse('orderNotFound');
  if (!order.isOpen) return refuse('operationUnsupported');
  const now = deps.clock();
  const row = { orderId, subscriptionId, brand, uid, createdAt: now, lookAt: now + firstLookMs };
  await tx.insert(pushWatches).values(row).onConflictDoNothing();
  const own = eq(pushWatches.subscriptionId, subscriptionId);
  const kept = tx
    .select({ orderId: pushWatches.orderId })
    .from(pushWatches)
    .where(own)
    .orderBy(desc(pushWatches.createdAt), desc(pushWatches.orderId))
    .offset(contract.maxWatchedOrders);
  return tx.delete(pushWatches).where(and(own, inArray(pushWatches.orderId, kept)));
}

/** A customer who subscribes within a reminder period knows the remaining days, so that reminder is not sent. */
async function remind(tx: Database, id: string, { expiredTime }: SessionUser, now: number): Promise<void> {
  await tx
    .update(pushSubscriptions)
    .set({
      remindAt: nextReminderAt(expiredTime, now),
      remindedEnd: expiredTime,
      remindedDays: reminderAt(expiredTime, now) ?? null,
    })
    .where(and(eq(pushSubscriptions.id, id), sql`${pushSubscriptions.remindAt} is null`));
}
