import type { Context } from 'hono';
import type { AppEnv } from '#server/runtime/request/request-context.ts';
import { requestedHost, isFromPrivateNetwork } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { HandoverCheckout } from '#server/db/schema/users.ts';
import { throwRefusal } from '#server/runtime/request/api-error.ts';

/** The sandbox captcha's endpoints for the document that shows it. */
export const sandboxCaptchaPaths = { script: '/sandbox/captcha/api.js', token: '/sandbox/captcha/token' } as const;

type SandboxAccessDeps = Pick<Deps, 'env' | 'catalog'>;

/**
 * All simulated services that a browser or a program can reach have paths under these two prefixes: the bank, the
 * operator page, Google, PayPal, the captcha, and the mailbox of all customers. They let a caller sign in as any
 * customer, so they exist only where the sandbox is on, for hosts of a brand, and for callers on this machine or in
 * private networks. Everyone else gets the same 404, whichever condition fails.
 */
export function isSandboxPath(path: string): boolean {
  return /^\/(sandbox|dev)(\/|$)/.test(path);
}

export function canAccessSandbox(c: Context<AppEnv>, { env, catalog }: SandboxAccessDeps): boolean {
  if (!env.SANDBOX || !(env.SANDBOX_PUBLIC || isFromPrivateNetwork(c, env))) return false;
  const host = requestedHost(c, env);
  return host !== undefined && (catalog.byHost(host.name) !== undefined || isSandboxCaptchaRequest(c, env));
}

/** The captcha document has an origin of its own, without a brand; its script and its requests use that origin. */
export function isSandboxCaptchaRequest(c: Context<AppEnv>, env: SandboxAccessDeps['env']): boolean {
  const { SANDBOX, SANDBOX_CAPTCHA, CAPTCHA_ORIGIN } = env;
  if (!SANDBOX || !SANDBOX_CAPTCHA || CAPTCHA_ORIGIN === undefined) return false;
  const { method, path } = c.req;
  const isItsOwn = path === (method === 'POST' ? sandboxCaptchaPaths.token : sandboxCaptchaPaths.script);
  const host = requestedHost(c, env);
  return isItsOwn && host !== undefined && new URL(host.origin).host === new URL(CAPTCHA_ORIGIN).host;
}

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
export function assertInCheckout({ body }: { readonly body?: unknown }, { planId }: HandoverCheckout): void {
  if (typeof body !== 'object' || body === null) return;
  if ('planId' in body && body.planId !== undefined && body.planId !== planId) throwRefusal('unauthorized');
  if ('cardId' in body && body.cardId !== undefined) throwRefusal('unauthorized');
}
