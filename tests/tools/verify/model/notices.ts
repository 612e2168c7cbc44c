import { and, eq, inArray, ne } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import { findChargeByKey, noticeOf } from '#sandbox/bank/charges.ts';
import { refundCharge } from '#sandbox/bank/api.ts';
import type { Story } from './purchase.ts';
import type { World } from './world.ts';

export const kinds = ['charge', 'chargeback', 'refund'] as const;
export type Kind = (typeof kinds)[number];
export const stages = ['opened', 'succeeded', 'rejected', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

/** A notice of the bank, which can be sent any number of times at any later time. */
export interface Told {
  readonly gateway: string;
  readonly body: string;
}

interface NoticeStep {
  readonly attempt: number;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly delivered: 'now' | 'twice' | 'later';
}

/** The bank sends a notice about a charge in its current state. Only paid charges are disputed or refunded. */
export async function sendBankNotice(
  story: Story,
  { attempt: index, kind, stage, delivered }: NoticeStep,
): Promise<void> {
  const { world } = story;
  const { deps } = world.shop;
  const known = (await chargesOf(world)).filter(({ status }) => kind === 'charge' || isTaken(status));
  const key = known[index % known.length]?.key;
  if (key === undefined) return;
  if (kind === 'refund' && stage === 'succeeded') await refundCharge(deps, key);
  const charge = await findChargeByKey(deps, key);
  if (!charge) return;
  const notice = noticeOf(deps, charge, kind, kind === 'charge' ? {} : { stage });
  story.notices.push({ body: notice.body, gateway: charge.gateway });
  const times = { later: 0, now: 1, twice: 2 }[delivered];
  for (let done = 0; done < times; done += 1)
    await deliverNotice(world, { body: notice.body, gateway: charge.gateway });
}

/**
 * The bank's charges of this customer, without keys that were closed before a charge: these have no gateway to notify.
 */
function chargesOf({ shop: { deps }, customer: { uid } }: World) {
  const own = deps.db.select({ id: attempts.id }).from(attempts).where(eq(attempts.uid, uid));
  const hasGateway = ne(sandboxCharges.gateway, '');
  return deps.db
    .select()
    .from(sandboxCharges)
    .where(and(hasGateway, inArray(sandboxCharges.key, own)))
    .orderBy(sandboxCharges.createdAt, sandboxCharges.key);
}

function isTaken(status: string): boolean {
  return status === 'paid' || status === 'refunded';
}

/** Signs a notice with the current time and delivers it. */
export async function deliverNotice({ shop }: World, { gateway, body }: Told): Promise<void> {
  const now = shop.deps.clock();
  const headers = {
    [timestampHeader]: String(now),
    [signatureHeader]: signNotice(noticeSecret(shop.deps.env), now, body),
  };
  const { status } = await shop.app.request(`/webhooks/${gateway}`, { method: 'POST', body, headers });
  if (status !== 200) throw new Error(`a notice was answered with ${status}`);
}
