import { refuse } from '../api-error.ts';
import { saveCard } from '../cards/save-card.ts';
import type { Deps } from '../deps.ts';
import { errorEntry } from '../../contract/error-codes.ts';
import type { GatewayAnswer } from '../payments/gateway.ts';
import type { Purchase } from './purchase-rows.ts';
import { receiptOf } from './receipt.ts';
import { recordExpiry, recordFailure, recordPending } from './record-outcome.ts';
import { recordPayment } from './record-payment.ts';

type SettleDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'log'>;

/**
 * Writes what the provider answered. Safe to repeat and safe in any order: an attempt that has ended is not moved,
 * except by money. True when the order was moved by it.
 */
export async function settle(deps: SettleDeps, purchase: Purchase, answer: GatewayAnswer): Promise<boolean> {
  const { db, clock, log } = deps;
  const { attempt } = purchase;
  const now = clock();
  if (!isOurAmount(purchase, answer)) {
    log.error(
      { attemptId: attempt.id, orderId: attempt.orderId },
      'the provider names another amount; nothing was changed',
    );
    return false;
  }
  const brand = deps.catalog.byCode(attempt.brand);
  const providerRef = answer.providerRef ?? null;
  switch (answer.state) {
    case 'succeeded':
      // before the payment, because nobody asks again about one that is written
      if (answer.savedCard) await saveCard(deps, attempt, answer.savedCard);
      return recordPayment(db, {
        attemptId: attempt.id,
        order: purchase.order,
        providerRef,
        now,
        ledgerId: deps.random.id(),
        mailId: deps.random.id(),
        mail: brand && receiptOf(brand, purchase, now),
      });
    case 'pending':
      return recordPending(db, attempt.id, {
        next: answer.next,
        providerRef,
        expiresAt: answer.expiresAt ?? null,
        now,
      });
    case 'failed':
      return recordFailure(db, attempt.id, { failureCode: answer.failureCode ?? 2003, now });
    case 'expired':
      return recordExpiry(db, attempt.id, now);
    case 'unknown':
      return false;
  }
}

/** Ends the call of a customer whose payment was declined, telling where it can be mended and which order to repay. */
export function refuseDecline(orderId: string, failureCode: number | null): never {
  const code = failureCode ?? 2003;
  const entry = errorEntry(code);
  // Failure codes are written from the catalogue; one that has since left it reads as "payment failed".
  return refuse(entry ? (code as Parameters<typeof refuse>[0]) : 2003, {
    orderId,
    ...(entry?.field && { field: entry.field }),
  });
}

/** Whether the provider speaks of what it was asked for, where it names an amount at all. */
export function isOurAmount({ attempt }: Purchase, { amount, currency }: GatewayAnswer): boolean {
  return (amount ?? attempt.amount) === attempt.amount && (currency ?? attempt.currency) === attempt.currency;
}
