import type { QueryClient } from '@tanstack/react-query';
import type { I18n } from '@lingui/core';
import type { BrandState } from '#contract/page.ts';
import { redirect } from '@tanstack/react-router';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { getSession } from '#web/platform/session/session.ts';

/** The context of every route's guard, loader and head. */
export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly i18n: I18n;
  readonly brand: BrandState;
}

/**
 * Guards a customer page and loads its messages. A visitor is redirected to the login and comes back afterwards. So is
 * a phone that received a checkout from a TV ([Note: Hand-over]), unless `isOfCheckout` accepts its plan.
 */
export async function openCustomerPage(
  location: { href: string },
  isOfCheckout?: (planId: string) => boolean,
): Promise<void> {
  // the server renders the page without its customer
  if (import.meta.env.SSR) return;
  const session = getSession();
  const only = session?.onlyPlanId;
  if (!session || (only && !isOfCheckout?.(only))) {
    throw redirect({
      to: '/login',
      search: { return: location.href, reason: only ? 'checkout' : 'needed' },
      replace: true,
    });
  }
  await loadMessages('private');
}
