import { and, eq } from 'drizzle-orm';
import { bodyLimitBytes } from '#contract/limits.ts';
import { createFairQueue } from '#server/runtime/limits/fair-queue.ts';
import { ApiRefusal, throwRefusal } from '#server/runtime/request/api-error.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import { findPurchase, type Purchase } from '#server/db/purchase-rows.ts';
import { countNotice, countRefusal, hasTooManyRefusals } from './notice-limits.ts';
import { recordPart } from './record-partial-refund.ts';
import { recordReversal, reversalEventId } from './record-reversal.ts';
import { isExpectedAmount, applyGatewayResult } from './apply-gateway-result.ts';
import { strayNotices, webhookEvents } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { NoticeRefused, type GatewayNotice } from '#server/payments/gateway.ts';
import { gatewayOfPath } from '#server/payments/webhook-path.ts';

export interface NoticeMetrics {
  /** a provider's signed notice about a payment of another installation on the same account */
  foreignNotice(gateway: string): void;
  /** a notice that is not the provider's, or that could not be verified */
  refusedNotice(gateway: string): void;
}

const uncounted: NoticeMetrics = { foreignNotice: () => undefined, refusedNotice: () => undefined };

/** PayPal's notices are verified by a call to PayPal, so that a flood of forged ones must not become a flood of calls. */
const verifications = { concurrency: 4, capacity: 64, perNetwork: 32 };

/**
 * Where providers tell what happened: `POST /webhooks/{gateway}`, or `/webhooks/{gateway}/{secret}` for one that signs
 * nothing. Answers have no body; 401 for a notice that is not the provider's, 429 after too many refused notices of a
 * network or, where each is verified by a call, of all networks; 503 while too many wait. The secret is in no log: a line
 * holds the route.
 */
export function mountWebhooks(app: App, deps: Deps, metrics: NoticeMetrics = uncounted): void {
  const queue = createFairQueue(verifications);
  app.post('/webhooks/:gateway/:secret?', async (c) => {
    const { gateway: called, secret } = c.req.param();
    const name = gatewayOfPath(called);
    c.set('route', secret === undefined ? '/webhooks/{gateway}' : '/webhooks/{gateway}/{secret}');
    const gateway = gatewayOf(deps.gateways, name);
    // some providers tell nothing: their payments are asked about
    const verify = gateway?.verifyNotice;
    if (!verify) return empty(404);
    const { ip } = callerOf(c, deps.env);
    const sender = { gateway: name, ip, isVerifiedByCall: gateway.isNoticeVerifiedByCall === true };
    if (await hasTooManyRefusals(deps, sender)) return empty(429);
    try {
      // read before it is admitted, so that slow senders do not fill the queue
      const body = await readText(c, deps, { maxBytes: bodyLimitBytes });
      const notice = await queue.admit(ip, () =>
        queue.run(ip, async () => {
          const counted = sender.isVerifiedByCall
            ? ((await countNotice(deps, sender)) ?? throwRefusal('tooFrequent'))
            : undefined;
          const read = await verify(c.req.raw.headers, body, deps.clock(), secret);
          await counted?.accept();
          return read;
        }),
      );
      // what tells nothing of a payment of ours is taken, so that it is not sent again
      if (notice && !(await receiveNotice(deps, name, notice))) metrics.foreignNotice(name);
      return empty(200);
    } catch (error) {
      if (error instanceof ApiRefusal) return empty(error.status);
      if (!(error instanceof NoticeRefused)) throw error;
      if (!sender.isVerifiedByCall) await countRefusal(deps, sender);
      metrics.refusedNotice(name);
      deps.log.warn({ gateway: name, reason: error.message, traceId: c.get('traceId') }, 'a notice was refused');
      return empty(401);
    }
  });
}

/**
 * Applies a notice that is the provider's; false for a payment that is not here. Such a notice is accepted all the same:
 * providers disable an endpoint that keeps refusing, and with it the notices of this shop's own payments. The event is noted after it was applied: if we stop in between, the
 * provider's repeat applies it again, which changes nothing, whereas an event noted first would be lost.
 */
async function receiveNotice(deps: Deps, gateway: string, notice: GatewayNotice): Promise<boolean> {
  const { db, clock, log } = deps;
  const event = { gateway, eventId: notice.kind === 'charge' ? notice.eventId : reversalEventId(notice, notice.kind) };
  const [known] = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.gateway, gateway), eq(webhookEvents.eventId, event.eventId)));
  if (known) return true;
  const purchase = await findPurchase(db, notice.key);
  if (!purchase || purchase.attempt.gateway !== gateway) {
    log.info(event, 'a notice names a payment of another installation');
    if (notice.kind !== 'charge' || notice.answer.state === 'succeeded') await noteStray(deps, event, notice);
    return false;
  }
  await applyNotice(deps, purchase, notice);
  await db
    .insert(webhookEvents)
    .values({ ...event, receivedAt: clock() })
    .onConflictDoNothing();
  return true;
}

/** [Note: Restore] Money that moved for a payment that is not here: an operator can look at it (`orders unknown`). */
async function noteStray(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  event: { readonly gateway: string; readonly eventId: string },
  { key, kind, answer }: GatewayNotice,
): Promise<void> {
  const { providerRef = null, amount = null, currency = null } = answer;
  await db
    .insert(strayNotices)
    .values({ ...event, key, kind, providerRef, amount, currency, receivedAt: clock() })
    .onConflictDoNothing();
}

/** A chargeback or a refund is proof of a payment, whose own notice may still be on its way, or have been lost. */
async function applyNotice(deps: Deps, purchase: Purchase, notice: GatewayNotice): Promise<void> {
  const { kind, answer } = notice;
  if (kind === 'charge') {
    await applyGatewayResult(deps, purchase, answer);
    return;
  }
  await applyGatewayResult(deps, purchase, { ...answer, state: 'succeeded' });
  if (!isExpectedAmount(purchase, answer)) return;
  if (kind === 'refund' && notice.part) await recordPart(deps, purchase, { part: notice.part, stage: notice.stage });
  else await recordReversal(deps, purchase, { ...notice, kind });
}

function empty(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
