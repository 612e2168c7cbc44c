import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { pushMessages, pushSubscriptions } from '#server/db/schema/push.ts';
import { sessions } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { sendPush, type PushResult, pushEndpoint, vapidKeys } from '#server/messages/push/send-push.ts';
import { writePush } from '#server/messages/push/write-push.ts';
import { runConcurrently, runInBatches } from './run-concurrently.ts';

type Message = typeof pushMessages.$inferSelect;

const batch = 20;
const lanes = 5;
const firstRetryMs = 10_000;
const longestRetryMs = 60 * 60_000;

/**
 * Sends the push messages that are due. Claiming schedules the next try with a growing pause, so a crash while sending
 * delays a message and loses none; a repeated one replaces itself on the screen. Sent and expired messages are
 * deleted, and all messages of a browser that unsubscribed. Returns how many were sent.
 */
export async function sendPushes(deps: Deps, stopping?: AbortSignal): Promise<number> {
  let sent = 0;
  await runInBatches({ full: batch, stopping }, async () => {
    const claimed = await claimDue(deps);
    await runConcurrently(claimed, lanes, async (message) => {
      try {
        if (await sendOne(deps, message)) sent += 1;
      } catch (error) {
        deps.log.error(
          { err: error, messageId: message.id },
          'a push message could not be sent and will be tried again',
        );
      }
    });
    return claimed.length;
  });
  return sent;
}

function claimDue({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Message[]> {
  const now = clock();
  const due = db
    .select({ id: pushMessages.id })
    .from(pushMessages)
    .where(lte(pushMessages.nextTryAt, now))
    .orderBy(asc(pushMessages.nextTryAt))
    .limit(batch)
    .for('update', { skipLocked: true });
  const wait = sql`least(${longestRetryMs}::bigint, ${firstRetryMs}::bigint * (1::bigint << least(${pushMessages.tries}, 20)))`;
  return db
    .update(pushMessages)
    .set({ tries: sql`${pushMessages.tries} + 1`, nextTryAt: sql`${now}::bigint + ${wait}` })
    .where(sql`${pushMessages.id} = any(array${due})`)
    .returning();
}

async function sendOne(deps: Deps, message: Message): Promise<boolean> {
  const { db, env, clock } = deps;
  const to = await readerOf(deps, message);
  const brand = deps.catalog.byCode(message.brand);
  if (!to || !brand || message.expiresAt <= clock()) return drop(deps, message);
  const endpoint = pushEndpoint(to.endpoint, env);
  const isOurs = to.vapidKey === vapidKeys(env, brand.code).publicKey;
  if (!endpoint || !isOurs) return forget(deps, message);
  const content = writePush(brand, to, message);
  const { id, expiresAt } = message;
  const outcome = await sendPush(deps, { id, brand, to, endpoint, content, expiresAt });
  deps.log.debug({ messageId: id, ...outcome }, 'a push message was posted');
  switch (outcome.state) {
    case 'accepted':
      await db.delete(pushMessages).where(eq(pushMessages.id, id));
      return true;
    case 'gone':
      return forget(deps, message);
    case 'refused':
      deps.log.warn({ messageId: id, status: outcome.status }, 'the push service rejected the message permanently');
      return drop(deps, message);
    case 'later':
      return wait(deps, message, outcome);
  }
}

/** The browser that the message is for, while its session is valid. */
async function readerOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, { subscriptionId, brand, uid }: Message) {
  const [row] = await db
    .select({ to: pushSubscriptions })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.tokenHash, pushSubscriptions.sessionHash))
    .where(
      and(
        eq(pushSubscriptions.id, subscriptionId),
        eq(pushSubscriptions.brand, brand),
        eq(pushSubscriptions.uid, uid),
        gt(sessions.expiresAt, clock()),
      ),
    );
  return row?.to;
}

async function drop({ db }: Pick<Deps, 'db'>, { id }: Message): Promise<false> {
  await db.delete(pushMessages).where(eq(pushMessages.id, id));
  return false;
}

/** Nothing can be sent to this browser any more: its subscription and messages are deleted. */
async function forget({ db }: Pick<Deps, 'db'>, { subscriptionId, brand, uid }: Message): Promise<false> {
  const { id, brand: ofBrand, uid: ofCustomer } = pushSubscriptions;
  await db.delete(pushSubscriptions).where(and(eq(id, subscriptionId), eq(ofBrand, brand), eq(ofCustomer, uid)));
  return false;
}

/** The claim has scheduled the next try; a longer pause that the push service requests is respected. */
async function wait(deps: Deps, { id }: Message, outcome: PushResult & { state: 'later' }): Promise<false> {
  deps.log.warn({ messageId: id, status: outcome.status }, 'a push message was not accepted');
  if (outcome.pauseMs !== undefined) {
    const from = deps.clock() + outcome.pauseMs;
    await deps.db
      .update(pushMessages)
      .set({ nextTryAt: sql`greatest(${pushMessages.nextTryAt}, ${from}::bigint)` })
      .where(eq(pushMessages.id, id));
  }
  return false;
}
