import { eq } from 'drizzle-orm';
import { paymentFailureOf, errorCode } from '#contract/error-codes.ts';
import type { changeCard } from '#contract/renewal.ts';
import { isCardExpired } from '#contract/card.ts';
import { ownedCard } from '#server/billing/cards/own-cards.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { assertMayTryCard, isDecline, type AdmittedPayment } from '#server/billing/payment-limits.ts';
import { deriveId } from '#server/runtime/random.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import {
  confirmChoice,
  updateSubscription,
  lockRenewal,
  type CardRow,
  type LockedRenewal,
} from '#server/billing/subscriptions/lock-renewal.ts';
import { renewalAttemptKey } from './charge.ts';
import { saveNewCard } from './save-new-card.ts';
import { renewalInfo, findRenewalStanding } from './renewal-info.ts';
import { findOfferForCard } from './update-status.ts';
import { processRenewal } from './process-renewal.ts';

type Row = LockedRenewal['row'];
type Tried = Pick<AdmittedPayment, 'close'> | undefined;

/** Charges a past-due renewal with the new card at once, so that the response contains the outcome. */
export const handleChangeCard: Handler<typeof changeCard> = async ({ body }, context) => {
  const { deps, user } = context;
  if (user.leavesAt !== null) return context.refuse('accountLeaves');
  const { row } = await findRenewalStanding(context);
  if (!row) return context.refuse('renewalNotFound');
  assertChangeable(context.refuse, row);
  const cardId = 'cardId' in body ? body.cardId : await saveNewCard(context, body, row.currency);
  // checked before the attempt is counted, because no provider is called for a refusal here
  await chargeableCard(deps.db, context, row, cardId);
  // A refused card can be retried at once, so the call is rate limited like a payment. `saveNewCard` has counted a new
  // card.
  const tried =
    row.status === 'pastDue'
      ? await assertMayTryCard(context, { cardId }, { isCounted: !('cardId' in body) })
      : undefined;
  const before = await writeCard(context, cardId, tried);
  if (before.status === 'pastDue') await charge(context, before, tried);
  else await tried?.close('open');
  return renewalInfo(context);
};

function assertChangeable(refuse: Refuse<'renewalExpired' | 'renewalUnderWay'>, { status }: Row): void {
  if (status === 'renewing') refuse('renewalUnderWay');
  if (status === 'ended') refuse('renewalExpired');
}

/** The customer's own card, if the renewal can be charged to it. */
async function chargeableCard(
  db: Database,
  context: CustomerContext<'billingCardNotUpdated' | 'cardMismatch' | 'methodUnsupported'>,
  row: Row,
  cardId: string,
): Promise<CardRow> {
  const [card] = await db.select().from(savedCards).where(ownedCard(context, cardId)).for('key share');
  if (!card) context.refuse('cardMismatch');
  const expiry = { month: card.expiryMonth, year: card.expiryYear };
  if (isCardExpired(expiry, context.deps.clock()))
    context.refuse('billingCardNotUpdated', { declineCode: errorCode('cardExpired') });
  if (row.status !== 'off' && !findOfferForCard(context, { ...row, card })) context.refuse('methodUnsupported');
  return card;
}

/** The errors of `writeCard`. */
type WriteCardErrors =
  | 'billingCardNotUpdated'
  | 'cardMismatch'
  | 'methodUnsupported'
  | 'renewalExpired'
  | 'renewalNotFound'
  | 'renewalUnderWay';

/** Writes the card to the renewal and returns the previous row. */
async function writeCard(context: CustomerContext<WriteCardErrors>, cardId: string, tried: Tried): Promise<Row> {
  const { deps, user } = context;
  const progress = { isWritten: false };
  try {
    return await deps.db.transaction(async (tx) => {
      const held = (await lockRenewal(tx, user, deps)) ?? context.refuse('renewalNotFound');
      const { row } = held;
      assertChangeable(context.refuse, row);
      const { methodCode } = await chargeableCard(tx, context, row, cardId);
      const now = deps.clock();
      const dueNow = row.status === 'pastDue' ? { nextChargeAt: now, dueAt: now } : {};
      await updateSubscription(tx, held, now, { cardId, methodCode, cardTold: false, ...dueNow });
      // the charge that follows at once sends its own receipt
      if (row.status === 'on' && row.cardId !== cardId) await confirmChoice(tx, user, deps, 'card');
      progress.isWritten = true;
      return row;
    });
  } catch (error) {
    // Rolled back: nothing is charged. If the commit itself failed, it may have taken effect, and the job charges what
    // is due.
    if (!progress.isWritten) await tried?.close('open');
    throw error;
  }
}

/**
 * Charges the card. After the commit the job would charge it too, so the attempt stays counted until the outcome is
 * known.
 */
async function charge(context: CustomerContext, before: Row, tried: Tried): Promise<void> {
  const { deps, user, traceId } = context;
  try {
    await processRenewal(deps, user);
  } finally {
    await closeTry(context, before, tried).catch((error: unknown) => {
      deps.log.warn({ err: error, traceId }, 'the decline count of a card could not be cleared');
    });
  }
}

async function closeTry({ deps }: CustomerContext, before: Row, tried: Tried): Promise<void> {
  const { db, clock } = deps;
  const [attempt] = await db
    .select({ state: attempts.state, failureCode: attempts.failureCode })
    .from(attempts)
    .where(eq(attempts.id, deriveId(renewalAttemptKey(before))));
  if (attempt) {
    if (isLiveState(attempt.state)) return;
    const isDeclined = attempt.state !== 'SUCCEEDED' && isDecline(paymentFailureOf(attempt.failureCode));
    return tried?.close(isDeclined ? 'declined' : 'open');
  }
  const [after] = await db
    .select({ dueAt: subscriptions.dueAt })
    .from(subscriptions)
    .where(eq(subscriptions.id, before.id));
  // the charge was deferred: the customer is paying by hand, or the provider is not configured at present
  if ((after?.dueAt ?? Infinity) > clock()) await tried?.close('open');
}
