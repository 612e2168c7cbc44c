import { maskAccount } from '#contract/mask.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { orderRemind } from '#contract/orders.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { supportedLanguage } from '#server/auth/create-user.ts';
import type { Database } from '#server/db/connect.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { reminderMail } from '#server/messages/order-mails.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { clearTries, countTry } from '#server/runtime/limits/throttle.ts';
import { orderView } from './order-view.ts';
import { ownPurchase, type OwnPurchase } from './own-orders.ts';
import { nextStepOf } from './payment-state.ts';

const oneAMinute = { tries: 1, windowMs: 60_000 };
const aDay = { tries: 3, windowMs: 86_400_000 };

/** Sends the customer the payment instructions of an unpaid order again, through the outbox. */
export const handleOrderRemind: Handler<typeof orderRemind> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const purchase = await ownPurchase(context, body.orderId);
  const next = nextStepOf(purchase, deps.clock());
  if (!awaitsPayer(purchase, next) || user.email === null) return context.refuse('operationUnsupported');
  await countOrderMail(context.refuse, deps.db, `reminder ${body.orderId}`, deps.clock());
  const language = supportedLanguage(brand, context.language);
  const { orderId, planName, methodName, total } = orderView(purchase.order, { brand, language });
  const mail = reminderMail(brand, language, { orderId, planName, methodName, total, next });
  await queueMail(deps.db, { brand, to: user.email, ...mail }, deps);
  return { sentTo: maskAccount(user.email) };
};

/**
 * Whether the payer has something to do. Not while the provider's answer is unknown, and not after the payer has done
 * it: an email that requests money then would cause a second payment.
 */
function awaitsPayer({ order, attempt }: OwnPurchase, next: NextStep): boolean {
  if (order.status !== 'PAYMENT_PENDING' || attempt.state === 'INTENT') return false;
  if (next.type === 'upload') return next.proof !== 'received';
  if (next.type === 'crypto') return next.chosen === null || Number(next.chosen.missing) > 0;
  return true;
}

/** At most one email a minute and three a day of each kind for each order; `tooFrequent` carries the longer wait. */
export async function countOrderMail(
  refuse: Refuse<'tooFrequent'>,
  db: Database,
  what: string,
  now: number,
): Promise<void> {
  const pauseKey = `pause ${what}`;
  const pause = await countTry(db, pauseKey, oneAMinute, now);
  if (!pause.allowed) refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const day = await countTry(db, `day ${what}`, aDay, now);
  if (day.allowed) return;
  // nothing was sent, so the next refusal must carry the day's wait and not this minute's
  await clearTries(db, pauseKey);
  refuse('tooFrequent', { waitSeconds: day.waitSeconds });
}
