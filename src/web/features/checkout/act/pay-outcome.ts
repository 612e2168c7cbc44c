import { isOpen } from '#contract/order-status.ts';
import type { Money } from '#contract/money.ts';
import { markAttemptStarted } from '#web/domain/payments/latest-attempt.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { resumePath } from '#web/domain/payments/resume-path.ts';
import { persistLanguage } from '#web/platform/i18n/remember-language.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { endCheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';
import { paymentInProgress, type PurchaseIntentStore } from '#web/platform/session/storage/purchase.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { endEntries } from '../checkout-entries.ts';
import { lastMethodKey } from '../method/last-method.ts';
import { retainsKey } from './pay-machine.ts';
import type { PayHooks } from './pay-plan.ts';
import { lookUpPayment, type Lookup, type PayOutcome } from './pay-request.ts';
import { pause, waitAfter } from './pay-wait.ts';

/** An order is committed before its provider is called, so a request that arrived is visible within seconds. */
const looksForNothing = 3;
/** Longer than any request, whose timeout is a minute. In milliseconds. */
const gaveUpMs = 120_000;

export interface LookupHooks extends PayHooks {
  readonly intent: PurchaseIntentStore;
  /** the key is known to be used */
  readonly spent: boolean;
  /** the total on the button, if the page is still the one that sent it */
  readonly shown: Money | undefined;
}

/** Last phase of a tap: asks for the outcome of a request until the server knows it, or knows of no such payment. */
export async function lookUp(lookup: Lookup, hooks: LookupHooks): Promise<void> {
  let nothings = 0;
  for (let tries = 0; nothings < looksForNothing && hooks.alive(); tries += 1) {
    if (tries > 0) await pause(waitAfter(tries - nothings));
    const found = await lookUpPayment(lookup);
    if (found.kind === 'outcome') {
      const { outcome, methodCode } = found;
      if (conclude(outcome, { planId: lookup.planId, methodCode }, hooks)) return;
    }
    nothings = found.kind === 'nothing' ? nothings + 1 : 0;
  }
  if (nothings < looksForNothing) return;
  if (hooks.spent || serverNow() - lookup.sentAt > gaveUpMs) hooks.intent.replace();
  hooks.send({ type: 'notFound' });
}

interface Bought {
  readonly planId: string;
  readonly methodCode: string;
}

/** Stores the outcome and sends it to the machine; true when the lookup is finished. */
export function conclude(outcome: PayOutcome, bought: Bought, hooks: Omit<LookupHooks, 'spent'>): boolean {
  storeOutcome(outcome, bought, hooks.intent);
  invalidatePersonalQueries(hooks.client);
  return hooks.send({ type: 'outcome', outcome, shown: hooks.shown }).phase !== 'checking';
}

/**
 * Stores on the device what follows from an outcome: the key or a new one, and where to continue. Runs even if the page
 * was left.
 */
function storeOutcome(outcome: PayOutcome, { planId, methodCode }: Bought, intent: PurchaseIntentStore): void {
  if (!retainsKey(outcome)) intent.replace();
  if (outcome.kind !== 'answered') return;
  const { orderId, status, resultToken, next } = outcome.answer;
  intent.clear();
  endCheckoutDraft(planId);
  endEntries(planId, orderId);
  markAttemptStarted(orderId);
  persistLanguage();
  lastMethodKey.set(methodCode);
  resultTokenKey.set({ orderId, token: resultToken });
  if (!isOpen(status)) return;
  const expiresAt = next.type === 'none' ? null : (next.expiresAt ?? null);
  paymentInProgress.set({
    orderId,
    methodCode,
    startedAt: serverNow(),
    expiresAt,
    resumePath: resumePath(orderId, next),
    resultToken,
  });
}
