import { and, eq } from 'drizzle-orm';
import { bodyLimitBytes } from '#contract/limits.ts';
import { createFairQueue } from '#server/runtime/limits/fair-queue.ts';
import { ApiRefusal, throwRefusal } from '#server/runtime/request/api-error.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import { findPurchase, type Purchase } from '#server/db/purchase-rows.ts';
import { recordPartialRefund } from './record-partial-refund.ts';
import { recordReversal, reversalEventId } from './record-reversal.ts';
import { applyCardNotice } from './cards/save-card.ts';
import { isExpectedAmount, applyGatewayResult } from './apply-gateway-result.ts';
import { strayNotices, webhookEvents } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { NoticeRefused, type GatewayNotice } from '#server/payments/gateway.ts';
import { gatewayOfPath } from '#server/payments/send-provider-request.ts';
import {
  uncountTry,
  uncountTryFrom,
  isOverLimitFrom,
  startWindow,
  countTry,
  countTryFrom,
  triesOf,
} from '#server/runtime/limits/throttle.ts';
import { networksOf } from '#server/runtime/request/network.ts';

/** PayPal's notices are verified by a call to PayPal, so forged notices must not cause as many calls. */
const verifications = { concurrency: 4, capacity: 64, perNetwork: 32 };

/**
 * Mounts the endpoints for providers' notices: `POST /webhooks/{gateway}`, or `/webhooks/{gateway}/{secret}` for a
 * provider without signatures. Answers have no body. 401: not from the provider. 429: too many refused notices of the
 * network or, if each is verified by a call, of all networks. 503: the queue is full. The log contains the route, never
 * the secret.
 */
export function mountWebhooks(app: App, deps: Deps): void {
  const queue = createFairQueue(verifications);
  app.post('/webhooks/:gateway/:secret?', async (c) => {
    const { gateway: called, secret } = c.req.param();
    const name = gatewayOfPath(called);
    c.set('route', secret === undefined ? '/webhooks/{gateway}' : '/webhooks/{gateway}/{secret}');
    const gateway = gatewayOf(deps.gateways, name);
    // some providers send no notices; the job requests the state of their payments
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
      // a notice about no payment of this shop is accepted, so that it is not sent again
      if (notice && !(await receiveNotice(deps, name, notice))) deps.metrics.foreignNotice(name);
      else deps.metrics.notice(name, notice?.createdAt && (deps.clock() - notice.createdAt) / 1000);
      return empty(200);
    } catch (error) {
      if (error instanceof ApiRefusal) return empty(error.status);
      if (!(error instanceof NoticeRefused)) throw error;
      if (!sender.isVerifiedByCall) await countRefusal(deps, sender);
      deps.metrics.refusedNotice(name);
      deps.log.warn({ gateway: name, reason: error.message, traceId: c.get('traceId') }, 'a notice was refused');
      return empty(401);
    }
  });
}

/**
 * Applies a verified notice; false for an unknown payment. That is accepted as well, because providers disable an
 * endpoint that keeps refusing, and with it the notices of this shop. The event is stored after it was applied: if the
 * process stops in between, the provider's repeat changes nothing, whereas an event stored first would be lost.
 */
async function receiveNotice(deps: Deps, gateway: string, notice: GatewayNotice): Promise<boolean> {
  const { db, clock, log, catalog } = deps;
  const event = { gateway, eventId: notice.kind === 'charge' ? notice.eventId : reversalEventId(notice, notice.kind) };
  const [known] = await db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.gateway, gateway), eq(webhookEvents.eventId, event.eventId)));
  if (known) return true;
  const purchase = await findPurchase(db, notice.key);
  const own = purchase?.attempt.gateway === gateway ? purchase : undefined;
  if (own) await catalog.learnNew();
  if (notice.card) await applyCardNotice(deps, gateway, own, notice.card);
  else if (own) await applyNotice(deps, own, notice);
  else {
    log.info(event, 'a notice names a payment of another installation');
    if (notice.kind !== 'charge' || notice.answer.state === 'succeeded')
      await recordUnknownPayment(deps, event, notice);
    return false;
  }
  await db
    .insert(webhookEvents)
    .values({ ...event, receivedAt: clock() })
    .onConflictDoNothing();
  return true;
}

/**
 * Stores a notice of money for an unknown payment, so that the operator can look into it (`orders unknown`, [Note:
 * Restore]).
 */
async function recordUnknownPayment(
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

/** A chargeback or a refund proves a payment, whose own notice may still be on its way, or was lost. */
async function applyNotice(deps: Deps, purchase: Purchase, notice: GatewayNotice): Promise<void> {
  const { kind, answer } = notice;
  if (kind === 'charge') {
    await applyGatewayResult(deps, purchase, answer);
    return;
  }
  await applyGatewayResult(deps, purchase, { ...answer, state: 'succeeded' });
  if (!isExpectedAmount(purchase, answer)) return;
  if (kind === 'refund' && notice.part)
    await recordPartialRefund(deps, purchase, { part: notice.part, stage: notice.stage });
  else await recordReversal(deps, purchase, { ...notice, kind });
}

function empty(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}

const windowMs = 10 * 60_000;
/** Refused notices of one network. A provider sends refused notices again later. */
const ofNetwork = { tries: 60, windowMs };
/** Refused notices of all networks; each of them costs a call to the provider. */
const ofGateway = { tries: 600, windowMs };
const dayMs = 24 * 60 * 60_000;
/** How long a network that sent a genuine notice is exempt from the limit for all networks. */
const exemptMs = 7 * dayMs;

type LimitDeps = Pick<Deps, 'db' | 'clock'>;

interface NoticeSender {
  readonly gateway: string;
  readonly ip: string;
  /** whether each notice costs a call to the provider */
  readonly isVerifiedByCall: boolean;
}

const networkKey = ({ gateway }: NoticeSender) => `refused notices ${gateway}`;
const gatewayKey = ({ gateway }: NoticeSender) => `all refused notices ${gateway}`;
const knownKey = ({ gateway, ip }: NoticeSender) => `accepted notice ${gateway} ${networksOf(ip).near}`;

/** Whether the sender's network has used up its limit of refusals. Counts nothing. */
function hasTooManyRefusals({ db, clock }: LimitDeps, sender: NoticeSender): Promise<boolean> {
  return isOverLimitFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

interface CountedNotice {
  /** the notice is genuine: removes it from the counts */
  accept(): Promise<void>;
}

/**
 * Counts a notice that was verified without a call and refused. It is counted only then, because a provider's genuine
 * notices come in large numbers and cost nothing.
 */
async function countRefusal({ db, clock }: LimitDeps, sender: NoticeSender): Promise<void> {
  await countTryFrom(db, networkKey(sender), sender.ip, ofNetwork, clock());
}

/**
 * Counts a notice as refused before the call that verifies it, so that notices that arrive together are all counted.
 * Undefined when the network, or all networks, are over their limit.
 */
async function countNotice({ db, clock }: LimitDeps, sender: NoticeSender): Promise<CountedNotice | undefined> {
  const now = clock();
  const own = await countTryFrom(db, networkKey(sender), sender.ip, ofNetwork, now);
  if (!own.allowed) return undefined;
  const key = knownKey(sender);
  const exemptUntil = (await triesOf(db, [key], now)).get(key)?.resetsAt;
  if (exemptUntil === undefined && !(await countTry(db, gatewayKey(sender), ofGateway, now)).allowed) return undefined;
  return {
    accept: async () => {
      await uncountTryFrom(db, networkKey(sender), sender.ip);
      if (exemptUntil === undefined) await uncountTry(db, gatewayKey(sender));
      // once a day, because providers send many notices from one network
      if ((exemptUntil ?? 0) < now + exemptMs - dayMs) await startWindow(db, { key, windowMs: exemptMs }, now);
    },
  };
}
