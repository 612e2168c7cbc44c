import type { SiteConfig } from './brand.ts';

/**
 * What a backend can do, in the order in which it is usually built. `capability-calls.ts` has the calls of each.
 *
 * - `browse`: plans, prices and documents
 * - `signIn`: sign-up, login, recovery of a password, and the account page
 * - `buyByRedirect`: checkout, orders and receipts, with methods whose provider shows a page or a code
 * - `buyByCard`: cards that are typed into the checkout, installments and saved cards
 * - `renew`: automatic renewal
 * - `account`: settings, passkeys, coupons, notifications, the customer's data
 * - `tv`: login of TV devices, and checkouts that continue on a phone
 */
export const capabilities = ['browse', 'signIn', 'buyByRedirect', 'buyByCard', 'renew', 'account', 'tv'] as const;
export type Capability = (typeof capabilities)[number];

/** Whether a backend can do something, or nothing in particular. One that says nothing can do everything. */
export const isCapable = (config: Pick<SiteConfig, 'capabilities'>, capability: Capability | undefined): boolean =>
  !capability || config.capabilities?.includes(capability) !== false;
