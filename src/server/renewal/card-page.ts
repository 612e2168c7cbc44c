import { errorCode } from '#contract/error-codes.ts';
import type { openCardPage, takeCard } from '#contract/cards.ts';
import { assertMayTryCard, countCardVisit } from '#server/billing/payment-limits.ts';
import { gatewayOf, methodsIn } from '#server/payments/chargeable.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { saveCard } from '#server/billing/cards/save-card.ts';

/** Opens the page of the provider on which a customer types a card (see `CardPageRequest`). */
export const handleOpenCardPage: Handler<typeof openCardPage> = async ({ body }, context) => {
  const { deps, brand, user, language, origin, idempotencyKey } = context;
  const { methodCode, currency, purpose } = body;
  // an account that is about to be deleted cannot renew
  if (user.leavesAt !== null) return context.refuse('accountLeaves');
  const method = methodsIn(context, currency).find(({ code, savesCard }) => code === methodCode && savesCard);
  const gateway = method && gatewayOf(deps.gateways, method.gateway);
  if (!method?.fields.includes('cardPage') || !gateway?.openCardPage) return context.refuse('methodUnsupported');
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

/** Saves the card that the customer typed on the provider's page. Repeating the call saves it once. */
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
  if (taken.state !== 'kept') return context.refuse('billingCardNotUpdated');
  await counted.accept();
  const owner = { brand: brand.code, uid: user.uid, gateway: method.gateway, methodCode };
  return { cardId: (await saveCard(deps, owner, taken.savedCard)) ?? context.refuse('invalidToken') };
};
