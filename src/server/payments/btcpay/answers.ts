import type { GatewayAnswer } from '../gateway.ts';
import { fromDecimal } from '../decimal-money.ts';
import type { KnownAttempt } from '../find-attempt.ts';
import { coinStep, paymentsOf } from './coin-step.ts';
import type { Invoice } from './schemas.ts';

/**
 * Whether the whole amount was received and confirmed, whatever the invoice's status: one that was paid after its
 * expiry stays `Expired` (`InvoiceWatcher` of BTCPay Server), and its money is ours all the same.
 */
function isCovered(invoice: Invoice): boolean {
  const payments = paymentsOf(invoice);
  return (
    payments.length > 0 &&
    payments.every(({ status }) => status === 'Settled') &&
    invoice.paymentMethods.some(({ due }) => due.startsWith('-') || /^0+(\.0+)?$/.test(due))
  );
}

export const isPaid = (invoice: Invoice): boolean => invoice.status === 'Settled' || isCovered(invoice);

/** The state of a payment by its invoice. `coin` is the payer's choice at `now`. */
export function answerOf(
  invoice: Invoice,
  {
    attempt,
    confirmations,
    now,
    coin,
  }: { attempt: KnownAttempt; confirmations: number; now: number; coin?: string | undefined },
): GatewayAnswer {
  const money = fromDecimal(invoice.amount, invoice.currency);
  if (!money) return { state: 'unknown' };
  const known = { providerRef: invoice.id, ...money };
  const waitsUntil = (expiresAt: number): GatewayAnswer => {
    const next = coinStep(invoice, { coin: coin ?? chosenBefore(attempt), confirmations, amount: money, expiresAt });
    // a step read before the payer's choice must not undo it
    const isNews = coin !== undefined || JSON.stringify(next) !== JSON.stringify(attempt.next);
    return { state: 'pending', ...known, expiresAt, ...(isNews && { next }) };
  };
  if (isPaid(invoice)) return { state: 'succeeded', ...known };
  switch (invoice.status) {
    case 'New':
      // the server notices a second later
      if (invoice.expirationTime <= now && paymentsOf(invoice).length === 0)
        return { state: 'expired', providerRef: invoice.id };
      return waitsUntil(invoice.expirationTime);
    case 'Processing':
      return waitsUntil(invoice.monitoringExpiration);
    case 'Expired':
      // the whole amount came late and is not confirmed yet
      return invoice.additionalStatus === 'PaidLate'
        ? waitsUntil(invoice.monitoringExpiration)
        : { state: 'expired', providerRef: invoice.id };
    default:
      // not confirmed in time, which it may be later; or invalidated by the store before anything was received
      return paymentsOf(invoice).length > 0
        ? { state: 'expired', providerRef: invoice.id }
        : { state: 'failed', providerRef: invoice.id, failure: 'paymentFailed' };
  }
}

function chosenBefore({ next }: KnownAttempt): string | undefined {
  return next?.type === 'crypto' ? next.chosen?.coin : undefined;
}
