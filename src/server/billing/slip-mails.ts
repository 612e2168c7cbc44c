import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { NextStep } from '#contract/next-step.ts';
import type { Database } from '#server/db/connect.ts';
import type { Customer, OrderRow, Purchase } from '#server/db/purchase-rows.ts';
import { attempts, awaitsSlipReminder } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { reminderMail, type Reminder } from '#server/messages/order-mails.ts';
import { orderView } from './orders.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog'>;

/** Emails a new Boleto, once however often the provider reports it. `db` is the transaction that stored it. */
export async function mailNewSlip(
  deps: MailDeps,
  { attempt, order, customer }: Purchase,
  next: NextStep,
): Promise<void> {
  const isNew = await deps.db
    .update(attempts)
    .set({ slipMails: 1 })
    .where(and(eq(attempts.id, attempt.id), eq(attempts.slipMails, 0)))
    .returning({ id: attempts.id });
  if (isNew.length > 0) await queueSlipMail(deps, { order, customer }, { next, occasion: 'slip' });
}

const dayMs = 24 * 60 * 60_000;

/** A slip expires at midnight in Brasília, so this is nine in the morning of the day before. */
const reminderLeadMs = 39 * 60 * 60_000;

/**
 * Emails reminders of up to `most` Boletos that expire by the end of tomorrow. A slip of less than a day has just been
 * emailed. Returns how many slips were processed; locked rows are left for the next run.
 */
export function remindOfSlips(deps: MailDeps, most: number): Promise<number> {
  const now = deps.clock();
  return deps.db.transaction(async (tx) => {
    const due = await dueSlips(tx, now, most);
    if (due.length === 0) return 0;
    await tx
      .update(attempts)
      .set({ slipMails: 2 })
      .where(
        inArray(
          attempts.id,
          due.map(({ id }) => id),
        ),
      );
    for (const { order, customer, next, expiresAt } of due) {
      const isPayable = next !== null && expiresAt !== null && expiresAt > now && awaitsMoney(order);
      if (isPayable) await queueSlipMail({ ...deps, db: tx }, { order, customer }, { next, occasion: 'slipEnds' });
    }
    return due.length;
  });
}

function dueSlips(tx: Database, now: number, most: number) {
  return tx
    .select({ id: attempts.id, next: attempts.next, expiresAt: attempts.expiresAt, order: orders, customer: users })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .innerJoin(users, eq(users.uid, orders.uid))
    .where(
      and(
        awaitsSlipReminder(attempts),
        lte(attempts.expiresAt, now + reminderLeadMs),
        lte(attempts.createdAt, sql`${now - dayMs}::bigint`),
      ),
    )
    .orderBy(asc(attempts.expiresAt))
    .limit(most)
    .for('update', { of: attempts, skipLocked: true });
}

const awaitsMoney = ({ status, underReview }: OrderRow): boolean => status === 'PAYMENT_PENDING' && !underReview;

async function queueSlipMail(
  deps: MailDeps,
  { order, customer: { email, language } }: { order: OrderRow; customer: Pick<Customer, 'email' | 'language'> },
  mailed: Pick<Reminder, 'next' | 'occasion'>,
): Promise<void> {
  const brand = deps.catalog.byCode(order.brand);
  if (!brand || email === null) return;
  const { orderId, planName, methodName, total } = orderView(order, { brand, language });
  const mail = reminderMail(brand, language, { orderId, planName, methodName, total, ...mailed });
  await queueMail(deps.db, { brand, to: email, ...mail }, deps);
}
