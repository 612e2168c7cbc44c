import { and, eq, inArray, ne } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import { findChargeByKey } from '#sandbox/bank/charges.ts';
import { refundCharge } from '#sandbox/bank/api.ts';
import { noticeOf } from '#sandbox/bank/notices.ts';
import type { Story } from './purchase.ts';
import type { World } from './world.ts';

export const kinds = ['charge', 'chargeback', 'refund'] as const;
export type Kind = (typeof kinds)[number];
export const stages = ['opened', 'succeeded', 'rejected', 'cancelled'] as const;
export type Stage = (typeof stages)[number];

/** A notice as the bank would send it: any number of times, at any later time. */
export interface Told {
  readonly gateway: string;
  readonly body: string;
}

interface News {
  readonly attempt: number;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly delivered: 'now' | 'twice' | 'later';
}

/** The bank tells of a charge as it stands in its books. It disputes and gives back only what it has taken. */
export async function sendBankNotice(story: Story, { attempt: index, kind, stage, delivered }: News): Promise<void> {
  const { world } = story;
  const { deps } = world.shop;
  const known = (await chargesOf(world)).filter(({ status }) => kind === 'charge' || isTaken(status));
  const key = known[index % known.length]?.key;
  if (key === undefined) return;
  if (kind === 'refund' && stage === 'succeeded') await refundCharge(deps, key);
  const charge = await findChargeByKey(deps, key);
  if (!charge) return;
  const told = noticeOf(deps, charge, kind, kind === 'charge' ? {} : { stage });
  story.notices.push({ body: told.body, gateway: charge.gateway });
  const times = { later: 0, now: 1, twice: 2 }[delivered];
  for (let done = 0; done < times; done += 1) await deliverNotice(world, { body: told.body, gateway: charge.gateway });
}

/** The bank's charges of this customer. Of a key that was closed before anybody asked for money it knows no shop to tell. */
function chargesOf({ shop: { deps }, customer: { uid } }: World) {
  const own = deps.db.select({ id: attempts.id }).from(attempts).where(eq(attempts.uid, uid));
  const asked = ne(sandboxCharges.gateway, '');
  return deps.db
    .select()
    .from(sandboxCharges)
    .where(and(asked, inArray(sandboxCharges.key, own)))
    .orderBy(sandboxCharges.createdAt, sandboxCharges.key);
}

function isTaken(status: string): boolean {
  return status === 'paid' || status === 'refunded';
}

/** Signs a notice now, and brings it. */
export async function deliverNotice({ shop }: World, { gateway, body }: Told): Promise<void> {
  const now = shop.deps.clock();
  const headers = {
    [timestampHeader]: String(now),
    [signatureHeader]: signNotice(noticeSecret(shop.deps.env), now, body),
  };
  const { status } = await shop.app.request(`/webhooks/${gateway}`, { method: 'POST', body, headers });
  if (status !== 200) throw new Error(`a notice was answered with ${status}`);
}
