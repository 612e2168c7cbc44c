import type { Endpoint } from '#contract/endpoint.ts';
import type { HandedCheckout } from '#server/db/schema/users.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';

/**
 * Every call that is allowed to the session of a phone with a handed-over checkout ([Note: Hand-over]). A new endpoint
 * is refused until it is listed here. Queries of orders are limited to the checkout by `ownedBy`.
 */
const checkoutCalls: ReadonlySet<string> = new Set([
  // prices and methods of the plan
  'listPlans',
  'checkPlanAvailable',
  'paymentMethods',
  'goodsValuation',
  'installmentsPlan',
  // the payment and its steps
  'pay',
  'repay',
  'liQuiDoConfirm',
  'paymentCrypto',
  'paymentInfo',
  'paymentTip',
  'payssionCreate',
  'stripeCreate',
  'useepayCreate',
  'orderUpload',
  'uploadObject',
  // its order
  'order',
  'orders',
  'queryCart',
  'queryToken',
  'orderRemind',
  'cancelOrder',
  'unbindDiscountCode',
  // calls that also work without a session
  'activeUser',
  'createRandCode',
  'deviceQuery',
  'loginOut',
  'report',
  'siteVerify',
  'takeHandover',
]);

/** Refuses with `unauthorized` a call that is not part of a checkout. */
export function assertCheckoutCall({ name }: Pick<Endpoint, 'name'>): void {
  if (!checkoutCalls.has(name)) throwRefusal('unauthorized');
}

/** Refuses with `unauthorized` another plan, and saved cards, which belong to the customer and not to the phone. */
export function assertInCheckout({ body }: { readonly body?: unknown }, { planId }: HandedCheckout): void {
  if (typeof body !== 'object' || body === null) return;
  if ('planId' in body && body.planId !== undefined && body.planId !== planId) throwRefusal('unauthorized');
  if ('cardId' in body && body.cardId !== undefined) throwRefusal('unauthorized');
}
