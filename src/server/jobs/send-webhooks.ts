import { and, eq, inArray, isNull, lte } from 'drizzle-orm';
import { isWaitingDelivery, maxWebhookTries, webhookDeliveries } from '#server/db/schema/webhooks.ts';
import type { Deps } from '#server/deps.ts';
import { webhookUrls } from '#server/messages/webhooks/queue-event.ts';
import { sendWebhook, type SentWebhook } from '#server/messages/webhooks/send-webhook.ts';
import { runConcurrently } from './run-concurrently.ts';

type Delivery = typeof webhookDeliveries.$inferSelect;
type WebhookDeps = Pick<Deps, 'db' | 'clock' | 'catalog' | 'env' | 'log' | 'metrics'>;

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses after each failed attempt: those that Standard Webhooks recommends, three days in all. */
const pausesMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)];
const longestPauseMs = 24 * hourMs;

const batch = 20;
/** Addresses that are called concurrently. */
const lanes = 10;
/** A slow address sends so long in one run, in milliseconds, and the others continue. */
const turnMs = 10 * secondMs;
/** Duration of a claim, in milliseconds: a turn and one more request. */
const leaseMs = 2 * minuteMs;
/** How long an address that does not answer is left alone, in milliseconds; it doubles with each failure in a row. */
const firstRestMs = 30 * secondMs;
const longestRestMs = 10 * minuteMs;

interface Endpoint {
  readonly brand: string;
  readonly url: string;
}

/**
 * Creates the job that sends webhooks. Each address has its own turn, and its events are sent one after the other,
 * oldest first. An address that does not answer rests, so that thousands of events do not wait for a timeout each.
 * A claim expires, so a crash while sending delays an event and loses none; it may arrive twice, with the same id.
 */
export function createWebhookJob(): (deps: WebhookDeps, stopping?: AbortSignal) => Promise<number> {
  const rests = new Map<string, { readonly until: number; readonly ms: number }>();
  return async (deps, stopping) => {
    const now = deps.clock();
    const all = deps.catalog.all().flatMap((brand) => webhookUrls(brand).map((url) => ({ brand: brand.code, url })));
    const ready = all.filter(({ url }) => (rests.get(url)?.until ?? 0) <= now);
    let sent = 0;
    const failures: Error[] = [];
    await runConcurrently(ready, lanes, async (endpoint) => {
      const turn = await sendTurn(deps, endpoint, stopping).catch((cause: unknown) => {
        failures.push(new Error(`webhooks of ${endpoint.brand} could not be sent`, { cause }));
        return { sent: 0, isSilent: false };
      });
      sent += turn.sent;
      const ms = Math.min(longestRestMs, 2 * (rests.get(endpoint.url)?.ms ?? firstRestMs / 2));
      if (turn.isSilent) rests.set(endpoint.url, { until: deps.clock() + ms, ms });
      else rests.delete(endpoint.url);
    });
    // the other addresses had their turn
    if (failures[0]) throw failures[0];
    return sent;
  };
}

async function sendTurn(deps: WebhookDeps, endpoint: Endpoint, stopping?: AbortSignal) {
  const until = deps.clock() + turnMs;
  let sent = 0;
  for (;;) {
    const claimed = await claimDue(deps, endpoint);
    for (const [index, delivery] of claimed.entries()) {
      const isOver = stopping?.aborted === true || deps.clock() >= until;
      if (isOver || !(await trySend(deps, delivery))) {
        await release(deps, claimed.slice(isOver ? index : index + 1));
        return { sent, isSilent: !isOver };
      }
      sent += 1;
    }
    if (claimed.length < batch) return { sent, isSilent: false };
  }
}

async function claimDue({ db, clock }: WebhookDeps, { brand, url }: Endpoint): Promise<Delivery[]> {
  const now = clock();
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.brand, brand),
          eq(webhookDeliveries.url, url),
          isWaitingDelivery(webhookDeliveries),
          lte(webhookDeliveries.nextTryAt, now),
        ),
      )
      .orderBy(webhookDeliveries.nextTryAt, webhookDeliveries.position)
      .limit(batch)
      .for('update', { skipLocked: true });
    if (due.length > 0)
      await tx
        .update(webhookDeliveries)
        .set({ nextTryAt: now + leaseMs })
        .where(areThese(due));
    return due;
  });
}

const areThese = (deliveries: readonly Delivery[]) =>
  and(
    eq(webhookDeliveries.url, deliveries[0]?.url ?? ''),
    inArray(
      webhookDeliveries.eventId,
      deliveries.map(({ eventId }) => eventId),
    ),
  );

/** Puts back what was claimed and not sent, in its order. */
async function release({ db }: WebhookDeps, deliveries: readonly Delivery[]): Promise<void> {
  for (const { nextTryAt, ...delivery } of deliveries)
    await db
      .update(webhookDeliveries)
      .set({ nextTryAt })
      .where(and(areThese([{ ...delivery, nextTryAt }]), isNull(webhookDeliveries.sentAt)));
}

/** Sends one event and stores how it ended. False where the address does not answer at all. */
async function trySend(deps: WebhookDeps, delivery: Delivery): Promise<boolean> {
  const { db, clock, env, log, metrics } = deps;
  const { eventId, brand, type } = delivery;
  const result = await sendWebhook(delivery, env, clock());
  const tries = delivery.tries + 1;
  const isLast = !result.isAccepted && (tries >= maxWebhookTries || result.isGone);
  const outcome = result.isAccepted ? 'accepted' : isLast ? 'given_up' : 'retried';
  metrics.webhook(brand, outcome);
  await db
    .update(webhookDeliveries)
    .set({
      tries: isLast ? maxWebhookTries : tries,
      lastAnswer: result.answer,
      ...(result.isAccepted ? { sentAt: clock() } : { nextTryAt: clock() + pauseAfter(tries, result) }),
    })
    .where(areThese([delivery]));
  if (!result.isAccepted)
    log.warn({ eventId, brand, type, tries, isLast, answer: result.answer }, 'a webhook was not accepted');
  return !result.isSilent;
}

/** The pause after the given number of attempts, in milliseconds; longer where the receiver asks for it. */
function pauseAfter(tries: number, { retryAfterMs = 0 }: SentWebhook): number {
  return Math.min(longestPauseMs, Math.max(pausesMs[tries - 1] ?? longestPauseMs, retryAfterMs));
}
