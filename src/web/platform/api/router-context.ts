import type { QueryClient } from '@tanstack/react-query';
import type { I18n } from '@lingui/core';
import type { BrandState } from '#contract/page.ts';
import { redirect } from '@tanstack/react-router';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { getSession } from '#web/platform/session/session.ts';

/** What every route's guard, loader and head can reach. */
export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly i18n: I18n;
  readonly brand: BrandState;
}

/**
 * Opens a page of the customer's own: its words are brought ([Note: Words by part]), and who is not signed in logs in
 * first and comes back to the same place. So does who has a phone that was handed a checkout, unless `isOfCheckout` says
 * that the page belongs to one of this plan.
 */
export async function openCustomerPage(
  location: { href: string },
  isOfCheckout?: (planId: string) => boolean,
): Promise<void> {
  const session = getSession();
  const only = session?.onlyPlanId;
  if (!session || (only && !isOfCheckout?.(only))) {
    throw redirect({ to: '/login', search: { return: location.href, reason: only && 'checkout' }, replace: true });
  }
  await ensureWords('private');
}
