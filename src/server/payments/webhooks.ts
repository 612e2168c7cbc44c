import { and, eq } from 'drizzle-orm';
import { bodyLimit } from 'hono/body-limit';
import { bodyLimitBytes } from '../../contract/limits.ts';
import type { App } from '../app-env.ts';
import { findPurchase, type Purchase } from '../billing/purchase-rows.ts';
import { recordReversal, reversalEventId } from '../billing/record-reversal.ts';
import { isOurAmount, settle } from '../billing/settle.ts';
import { webhookEvents } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { NoticeRefused, type GatewayNotice } from './gateway.ts';

/** Where providers tell what happened: `POST /webhooks/{gateway}`. Answers have no body; 401 for what is not signed. */
export function mountWebhooks(app: App, deps: Deps): void {
  app.post('/webhooks/:gateway', bodyLimit({ maxSize: bodyLimitBytes, onError: () => empty(413) }), async (c) => {
    c.set('route', '/webhooks/{gateway}');
    const name = c.req.param('gateway');
    const gateway = Object.hasOwn(deps.gateways, name) ? deps.gateways[name] : undefined;
    if (!gateway) return empty(404);
    try {
      const notice = await gateway.verifyNotice(c.req.raw.headers, await c.req.text(), deps.clock());
      return empty(await receiveNotice(deps, name, notice));
    } catch (error) {
      if (!(error instanceof NoticeRefused)) throw error;
      deps.log.warn({ gateway: name, reason: error.message, traceId: c.get('traceId') }, 'a notice was refused');
      return empty(401);
    }
  });
}

/**
 * Applies a notice that is the provider's. The event is noted after it was applied: if we stop in between, the
 * provider's repeat applies it again, which changes nothing, whereas an event noted first would be lost.
 */
async function receiveNotice(deps: Deps, gateway: string, notice: GatewayNotice): Promise<200 | 404> {
  const { db, clock, log } = deps;
  const event = { gateway, eventId: notice.kind === 'charge' ? notice.eventId : reversalEventId(notice, notice.kind) };
  const [known] = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.gateway, gateway), eq(webhookEvents.eventId, event.eventId)));
  if (known) return 200;
  const purchase = await findPurchase(db, notice.key);
  if (!purchase || purchase.attempt.gateway !== gateway) {
    log.warn(event, 'a notice names a payment that is not ours');
    return 404;
  }
  await applyNotice(deps, purchase, notice);
  await db
    .insert(webhookEvents)
    .values({ ...event, receivedAt: clock() })
    .onConflictDoNothing();
  return 200;
}

/** A chargeback or a refund is proof of a payment, whose own notice may still be on its way, or have been lost. */
async function applyNotice(deps: Deps, purchase: Purchase, notice: GatewayNotice): Promise<void> {
  const { kind, answer } = notice;
  if (kind === 'charge') {
    await settle(deps, purchase, answer);
    return;
  }
  await settle(deps, purchase, { ...answer, state: 'succeeded' });
  if (!isOurAmount(purchase, answer)) return;
  await recordReversal(deps, purchase, { ...notice, kind });
}

function empty(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
