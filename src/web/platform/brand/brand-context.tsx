import { createContext, use } from 'react';
import type { BrandState } from '#contract/page.ts';
import { createListeners, useStore } from '#web/ui/store.ts';
import { currencyKey } from '#web/platform/session/storage/keys.ts';

/** The brand of this page. Components read it and never name a brand. */
export const BrandContext = createContext<BrandState | undefined>(undefined);

export function useBrand(): BrandState {
  const brand = use(BrandContext);
  if (!brand) throw new Error('no BrandContext');
  return brand;
}

const { subscribe, tell } = createListeners();

/**
 * Sets the currency in which this device shows prices. The choice of the plans, a plan, the checkout or the settings
 * applies to every page and survives reloads and logins. Where a price does not exist or cannot be paid in it, the
 * brand's own currency is used.
 */
export function setWantedCurrency(code: string): void {
  currencyKey.set(code);
  tell();
}

/** The choice of this device; undefined without a choice, and in HTML of the server. */
export function useWantedCurrency(): string | undefined {
  return useStore<string | undefined>({ subscribe, get: currencyKey.get }, undefined);
}
