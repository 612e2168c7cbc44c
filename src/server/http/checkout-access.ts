import type { Endpoint } from '#contract/endpoint.ts';
import type { HandedCheckout } from '#server/db/schema/users.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';

/**
 * Every call that the session of a phone may make that was handed a checkout ([Note: Hand-over]). A new endpoint is
 * refused until it is listed here. Orders are limited to the checkout where they are read (`ownedBy`).
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
  // what works without a session, too
  'activeUser',
  'createRandCode',
  'deviceQuery',
  'loginOut',
  'report',
  'siteVerify',
  'takeHandover',
]);

/** Refuses with -24031 a call that is no part of a checkout. */
export function assertCheckoutCall({ name }: Pick<Endpoint, 'name'>): void {
  if (!checkoutCalls.has(name)) throwRefusal('unauthorized');
}

/** Refuses with `unauthorized` another plan, and a saved card, which is the customer's and not the phone's. */
export function assertInCheckout({ body }: { readonly body?: unknown }, { planId }: HandedCheckout): void {
  if (typeof body !== 'object' || body === null) return;
  if ('planId' in body && body.planId !== undefined && body.planId !== planId) throwRefusal('unauthorized');
  if ('cardId' in body && body.cardId !== undefined) throwRefusal('unauthorized');
}
