import type { InferOutput } from 'valibot';
import { errorCode } from '#contract/error-codes.ts';
import { isCardExpired, isCardNumber, parseCardExpiry } from '#contract/card.ts';
import type { updateRenewStatus } from '#contract/renewal.ts';
import type { MethodRow } from '#server/brand/catalog.ts';
import { withSavedPayer } from '#server/billing/cards/payer.ts';
import { saveCard } from '#server/billing/cards/save-card.ts';
import { assertMayTryCard, isDecline, countCardVisit } from '#server/billing/payment-limits.ts';
import { gatewayOf, methodsIn } from '#server/payments/chargeable.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import type { openCardPage, takeCard } from '#contract/cards.ts';

export type NewCard = NonNullable<InferOutput<typeof updateRenewStatus.body>['newCard']>;

/** The method that can save a new card; refuses with `methodUnsupported` if no method can. */
export function cardSavingMethod(
  { brand, refuse }: Pick<CustomerContext<'methodUnsupported'>, 'brand' | 'refuse'>,
  methodCode: string,
): MethodRow {
  return brand.methods.find(({ code, savesCard }) => code === methodCode && savesCard) ?? refuse('methodUnsupported');
}

/** The errors of `saveNewCard`. */
export type SaveNewCardErrors = 'billingCardNotUpdated' | 'cardNotKept' | 'methodUnsupported' | 'tooFrequent';

/**
 * Has the gateway verify and save a new card, and returns its ID among the customer's saved cards. The idempotency key
 * of the call is the gateway's, so a repeated call saves one card. Refuses with `billingCardNotUpdated` if the gateway
 * refuses it.
 */
export async function saveNewCard(
  context: CustomerContext<SaveNewCardErrors>,
  newCard: NewCard,
  currency: string,
): Promise<string> {
  const { deps, brand, user } = context;
  const { methodCode, card } = newCard;
  const key = context.idempotencyKey ?? refuseInput('Idempotency-Key');
  const method = cardSavingMethod(context, methodCode);
  const gateway = gatewayOf(deps.gateways, method.gateway);
  if (!gateway?.storeCard || !gateway.chargeSaved) context.refuse('methodUnsupported');
  const expiry = parseCardExpiry(card.expiry) ?? context.refuse('cardNotKept', { field: 'cardExpiry' });
  if (!isCardNumber(card.number))
    context.refuse('billingCardNotUpdated', { declineCode: errorCode('wrongCardNumber'), field: 'cardNumber' });
  if (isCardExpired(expiry, deps.clock()))
    context.refuse('billingCardNotUpdated', { declineCode: errorCode('cardExpired'), field: 'cardExpiry' });
  const { body, keepIt } = await withSavedPayer(context, newCard);
  // counted last: if the call ends after this point, the gateway may have been called
  const tried = await assertMayTryCard(context, { card });
  const owner = { brand: brand.code, customer: user.uid, merchantName: brand.name };
  const answer = await gateway.storeCard({ ...owner, key, methodCode, currency, card, payer: body.payer });
  await tried.close(answer.state === 'refused' && isDecline(answer.failure) ? 'declined' : 'open');
  if (answer.state === 'refused') {
    context.refuse('billingCardNotUpdated', { declineCode: errorCode(answer.failure) });
  }
  if (answer.state === 'unknown') context.refuse('billingCardNotUpdated');
  await keepIt();
  const whose = { brand: brand.code, uid: user.uid, gateway: method.gateway, methodCode };
  return (await saveCard(deps, whose, answer.savedCard)) ?? context.refuse('invalidToken');
}

/** Opens the page of the provider on which a customer saves a card or an account (see `CardPageRequest`). */
export const handleOpenCardPage: Handler<typeof openCardPage> = async ({ body }, context) => {
  const { deps, brand, user, language, origin, idempotencyKey } = context;
  const { methodCode, currency, purpose } = body;
  // an account that is about to be deleted cannot renew
  if (user.leavesAt !== null) return context.refuse('accountLeaves');
  const method = methodsIn(context, currency).find(({ code, savesCard }) => code === methodCode && savesCard);
  const gateway = method && gatewayOf(deps.gateways, method.gateway);
  const hasPage = method?.fields.includes('cardPage') === true || method?.accountPage === true;
  if (!hasPage || !gateway?.openCardPage) return context.refuse('methodUnsupported');
  await assertMayTryCard(context, {});
  const back = new URLSearchParams({ cardMethod: methodCode, cardFor: purpose });
  const page = await gateway.openCardPage({
    key: idempotencyKey,
    brand: brand.code,
    customer: user.uid,
    merchantName: brand.name,
    methodCode,
    currency,
    language,
    returnUrl: `${origin}/account?${back.toString()}&cardVisit={visit}`,
  });
  if (page.state === 'refused')
    return context.refuse('billingCardNotUpdated', { declineCode: errorCode(page.failure) });
  return page.state === 'open' ? { url: page.url } : context.refuse('billingCardNotUpdated');
};

/** Saves the card or account that the customer left on the provider's page. Repeating the call saves it once. */
export const handleTakeCard: Handler<typeof takeCard> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { methodCode, visit } = body;
  const method =
    brand.methods.find(({ code, savesCard }) => code === methodCode && savesCard) ??
    context.refuse('methodUnsupported');
  const gateway = gatewayOf(deps.gateways, method.gateway);
  if (!gateway?.takeCard) return context.refuse('methodUnsupported');
  const counted = await countCardVisit(context);
  const taken = await gateway.takeCard(visit, { brand: brand.code, customer: user.uid });
  if (taken.state !== 'saved') return context.refuse('billingCardNotUpdated');
  await counted.accept();
  const owner = { brand: brand.code, uid: user.uid, gateway: method.gateway, methodCode };
  return { cardId: (await saveCard(deps, owner, taken.savedCard)) ?? context.refuse('invalidToken') };
};
