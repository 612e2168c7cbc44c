import type { Money } from '#contract/money.ts';
import { type updateRenewStatus, nextRenewalStatus } from '#contract/renewal.ts';
import { lockCustomer } from '#server/auth/users.ts';
import { ownedCard } from '#server/billing/cards/own-cards.ts';
import type { Database } from '#server/db/connect.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { isCardExpired } from '#contract/card.ts';
import { gatewayOf, methodsIn } from '#server/payments/chargeable.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import {
  updateSubscription,
  lockRenewal,
  confirmChoice,
  type CardRow,
  type LockedRenewal,
} from '#server/billing/subscriptions/lock-renewal.ts';
import {
  firstChargeTime,
  noticeLeadMs,
  requireNextStatus,
  nextPeriod,
  renewalOffer,
  type RenewalOffer,
} from '#server/billing/subscriptions/renewal-rules.ts';
import { turnOff } from '#server/billing/subscriptions/record-refusal.ts';
import { cardSavingMethod, saveNewCard, type NewCard, type SaveNewCardErrors } from './save-new-card.ts';
import { renewalInfo, findRenewalStanding } from './renewal-info.ts';

type StatusBody = Parameters<Handler<typeof updateRenewStatus>>[0]['body'];

export const handleUpdateRenewStatus: Handler<typeof updateRenewStatus> = async ({ body }, context) => {
  // a TV device is shared, so it cannot change payments
  if (context.user.sessionKind === 'box') return context.refuse('unauthorized');
  if (body.status === 'off') await switchOff(context, body);
  else await switchOn(context, body);
  return renewalInfo(context);
};

/** The errors of `switchOff`. */
type SwitchOffErrors = 'renewalCancelled' | 'renewalExpired' | 'renewalNotFound' | 'renewalUnderWay';

async function switchOff(context: CustomerContext<SwitchOffErrors>, { reason }: StatusBody): Promise<void> {
  const { deps, user } = context;
  const done = await deps.db.transaction(async (tx) => {
    const held = await lockRenewal(tx, user, deps);
    if (held) await stopRenewal(context.refuse, tx, deps, held, reason);
    return held !== undefined;
  });
  if (done) return;
  // Never turned on means off. `findRenewalStanding` refuses with `renewalNotFound` if nothing could renew.
  await findRenewalStanding(context);
  context.refuse('renewalCancelled');
}

/** Turns renewal off; refuses if it has ended, is off already, or is being charged. */
export async function stopRenewal(
  refuse: Refuse<'renewalCancelled' | 'renewalExpired' | 'renewalUnderWay'>,
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  reason?: string,
): Promise<void> {
  const { status } = held.row;
  if (nextRenewalStatus(status, 'turnedOff')) return turnOff(tx, deps, held, { by: 'customer', reason });
  if (status === 'renewing') refuse('renewalUnderWay');
  refuse(status === 'off' ? 'renewalCancelled' : 'renewalExpired');
}

/** The errors of `switchOn`. */
type SwitchOnErrors =
  | NewCardErrors
  | 'changeFailed'
  | 'renewalCardUnavailable'
  | 'renewalExpired'
  | 'renewalNotFound'
  | 'renewalUnderWay';

/** Accepts a price and a card: turns renewal on, or continues it at a changed price. */
async function switchOn(context: CustomerContext<SwitchOnErrors>, body: StatusBody): Promise<void> {
  const { deps, user } = context;
  const price = body.price ?? refuseInput('price');
  const standing = await findRenewalStanding(context);
  if (standing.row?.status === 'renewing') context.refuse('renewalUnderWay');
  const runs = (user.expiredTime ?? 0) > deps.clock();
  const charges = standing.row?.status === 'on' || standing.row?.status === 'pastDue';
  if (!runs && !charges) context.refuse('renewalExpired');
  if (!standing.offer) context.refuse('changeFailed');
  const cardId = body.newCard ? await newCardFor(context, standing, body.newCard, price) : body.cardId;
  await deps.db.transaction(async (tx) => {
    const customer = (await lockCustomer(tx, user)) ?? context.refuse('invalidToken');
    // an account that is about to be deleted is charged nothing more
    if (customer.leavesAt !== null) context.refuse('accountLeaves');
    const card = await requireUsableCard(tx, context, cardId ?? standing.row?.cardId ?? undefined);
    const { planId, currency } = standing;
    const offer = findOfferForCard(context, { planId, currency, card }) ?? context.refuse('renewalCardUnavailable');
    assertAgreed(context.refuse, offer, currency, price);
    await agree(tx, context, { offer, card, currency, paidUntil: customer.expiredTime });
  });
}

function assertAgreed(refuse: Refuse<'placePaymentFailed'>, offer: RenewalOffer, currency: string, price: Money): void {
  if (price.amount === offer.price && price.currency === currency) return;
  refuse('placePaymentFailed', { newTotal: { amount: offer.price, currency } });
}

/** The errors of `newCardFor`. */
type NewCardErrors = SaveNewCardErrors | 'accountLeaves' | 'placePaymentFailed';

/** Verifies and saves a new card. Checks that need no bank come first, so that no bank is called in vain. */
async function newCardFor(
  context: CustomerContext<NewCardErrors>,
  { planId, currency }: { planId: string; currency: string },
  newCard: NewCard,
  price: Money,
): Promise<string> {
  if (context.user.leavesAt !== null) context.refuse('accountLeaves');
  const { code: methodCode, gateway } = cardSavingMethod(context, newCard.methodCode);
  const offer =
    findOfferForCard(context, { planId, currency, card: { methodCode, gateway } }) ??
    context.refuse('methodUnsupported');
  assertAgreed(context.refuse, offer, currency, price);
  return saveNewCard(context, newCard, currency);
}

/**
 * The chosen card, or the previous one; refuses with `renewalCardUnavailable` if it is missing, expired, or its
 * gateway cannot charge it.
 */
async function requireUsableCard(
  tx: Database,
  context: CustomerContext<'renewalCardUnavailable'>,
  cardId: string | undefined,
): Promise<CardRow> {
  const { deps } = context;
  if (cardId === undefined) context.refuse('renewalCardUnavailable');
  const [card] = await tx.select().from(savedCards).where(ownedCard(context, cardId)).for('key share');
  const expires = card && { month: card.expiryMonth, year: card.expiryYear };
  if (!card || !expires || isCardExpired(expires, deps.clock())) context.refuse('renewalCardUnavailable');
  if (!gatewayOf(deps.gateways, card.gateway)?.chargeSaved) context.refuse('renewalCardUnavailable');
  return card;
}

/** How the plan renews with this card. */
export function findOfferForCard(
  context: CustomerContext,
  { planId, currency, card }: { planId: string; currency: string; card: Pick<CardRow, 'methodCode' | 'gateway'> },
): RenewalOffer | undefined {
  const plan = context.brand.plans.find(({ id }) => id === planId);
  const method = methodsIn(context, currency).find(
    ({ code, gateway }) => code === card.methodCode && gateway === card.gateway,
  );
  return plan && method && renewalOffer(context, plan, method, currency);
}

interface Agreed {
  readonly offer: RenewalOffer;
  readonly card: CardRow;
  readonly currency: string;
  /** read while the customer is locked: days may have been bought since the request */
  readonly paidUntil: number | null;
}

type Agreeing = CustomerContext<'renewalExpired' | 'renewalUnderWay'>;

async function agree(tx: Database, context: Agreeing, agreed: Agreed): Promise<void> {
  const { offer, card, currency } = agreed;
  const { price } = offer;
  const { deps, user } = context;
  const now = deps.clock();
  const terms = { price, toldPrice: null, currency, cardId: card.cardId, methodCode: offer.method.code, asks: null };
  const held = await lockRenewal(tx, user, deps);
  if (held && (held.row.status === 'on' || held.row.status === 'pastDue')) {
    // a new price is processed by the job at once; a new card is charged at the scheduled time
    await updateSubscription(tx, held, now, { ...terms, ...(held.row.status === 'on' && { dueAt: now }) });
    const chose = held.row.price === price ? 'card' : 'price';
    if (chose === 'price' || held.row.cardId !== card.cardId) await confirmChoice(tx, user, deps, chose);
    return;
  }
  if (held && !nextRenewalStatus(held.row.status, 'turnedOn'))
    context.refuse(held.row.status === 'renewing' ? 'renewalUnderWay' : 'renewalExpired');
  const fresh = { ...terms, ...schedule(agreed, now), planId: offer.plan.id, days: offer.plan.days };
  if (held) {
    // an earlier charge may have used this period number
    const period = nextPeriod(held.row);
    const noticed = fresh.noticed ? period.period : 0;
    await updateSubscription(tx, held, now, {
      ...period,
      ...fresh,
      noticed,
      status: requireNextStatus(held.row, 'turnedOn'),
      offReason: null,
      offBy: null,
      offAt: null,
    });
    return confirmChoice(tx, user, deps, 'on');
  }
  const row = { id: deps.random.id(), brand: user.brand, uid: user.uid, status: 'on', createdAt: now } as const;
  const made = await tx
    .insert(subscriptions)
    .values({ ...row, ...fresh, noticed: fresh.noticed ? 1 : 0, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: subscriptions.id });
  // the customer's row is locked, so no other transaction can have inserted one
  if (made.length === 0) throw new Error('the renewal exists already');
  await confirmChoice(tx, user, deps, 'on');
}

/** A customer who turns it on shortly before the charge has read the date and needs no notice. */
function schedule({ paidUntil: ends, offer: { plan } }: Agreed, now: number) {
  const paidUntil = ends ?? now;
  const nextChargeAt = firstChargeTime(paidUntil, now);
  const noticeAt = nextChargeAt - noticeLeadMs(plan.days);
  const noticed = noticeAt <= now;
  return { paidUntil, nextChargeAt, dueAt: noticed ? nextChargeAt : noticeAt, noticed, cardTold: false };
}
