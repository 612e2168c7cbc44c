import { eq, sql } from 'drizzle-orm';
import { sandboxNotices } from '../schema.ts';
import type { Deliver, Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '../gateway/protocol.ts';
import { sandboxWebhookId } from '../paypal/account.ts';
import { noticeHeaders } from '../paypal/events.ts';
import type { Bank } from './bank.ts';
import { applyScheduledOutcomes } from './charges.ts';

const repeatAfterMs = 1200;
const batch = 20;

/**
 * Delivers due notices, each twice, signed when sent. Claiming a notice moves its due time, so that no other process
 * takes it and a crash only delays it. Returns how many were sent.
 */
export async function deliverNotices(
  bank: Bank,
  { secret, origin, deliver }: { secret: string; origin: string; deliver: Deliver },
): Promise<number> {
  const { db, clock } = bank;
  const now = clock();
  await applyScheduledOutcomes(bank);
  const due = db
    .select({ id: sandboxNotices.id })
    .from(sandboxNotices)
    .where(sql`${sandboxNotices.dueAt} <= ${now}`)
    .orderBy(sandboxNotices.dueAt)
    .limit(batch)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(sandboxNotices)
    .set({ dueAt: now + repeatAfterMs })
    .where(sql`${sandboxNotices.id} = any(array${due})`)
    .returning();
  for (const notice of claimed) {
    if (await send(notice, { now, secret, origin, deliver })) await decrementRepeats(bank, notice);
  }
  return claimed.length;
}

/** As `deliverNotices`, to the default brand's origin. */
export const deliverDueNotices: Sandbox['deliverNotices'] = async (deps, deliver) => {
  const origin = deps.catalog.byCode(deps.env.DEFAULT_BRAND)?.origin;
  if (origin) await deliverNotices(deps, { secret: noticeSecret(deps.env), origin, deliver });
};

/** Decrements the remaining deliveries; deletes the notice after the last. */
async function decrementRepeats({ db }: Bank, { id, repeats }: { id: string; repeats: number }): Promise<void> {
  const same = eq(sandboxNotices.id, id);
  if (repeats > 1)
    await db
      .update(sandboxNotices)
      .set({ repeats: repeats - 1 })
      .where(same);
  else await db.delete(sandboxNotices).where(same);
}

type Due = typeof sandboxNotices.$inferSelect;

async function send(
  notice: Due,
  { now, secret, origin, deliver }: { now: number; secret: string; origin: string; deliver: Deliver },
): Promise<boolean> {
  const { body, gateway } = notice;
  const url = `${origin}/webhooks/${gateway}`;
  const headers = { 'content-type': 'application/json', ...signatureHeaders(notice, { now, secret, origin }) };
  try {
    const response = await deliver(new Request(url, { method: 'POST', headers, body }));
    return response.status < 500;
  } catch {
    // the server is down: the notice stays and is sent again
    return false;
  }
}

/** Each provider has its own signature; the sandbox PayPal uses PayPal's. */
function signatureHeaders(
  { id, gateway, body }: Due,
  { now, secret, origin }: { now: number; secret: string; origin: string },
): Record<string, string> {
  if (gateway === 'paypal') return noticeHeaders(secret, { id, webhookId: sandboxWebhookId, body, now, origin });
  return { [timestampHeader]: String(now), [signatureHeader]: signNotice(secret, now, body) };
}
