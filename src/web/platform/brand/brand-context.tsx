import { createContext, use } from 'react';
import type { BrandState } from '#contract/page.ts';
import { createListeners, useStore } from '#web/ui/store.ts';
import { currencyKey } from '#web/platform/session/storage/keys.ts';

/** The brand of this page. Components read it and never name one. */
export const BrandContext = createContext<BrandState | undefined>(undefined);

export function useBrand(): BrandState {
  const brand = use(BrandContext);
  if (!brand) throw new Error('useBrand needs a BrandContext above it');
  return brand;
}

const { subscribe, tell } = createListeners();

/**
 * [Note: Wanted currency] In which currency this device sees prices: one choice, made at the plans, at a plan, at the checkout or
 * in the settings, that goes along from page to page, through reloads and logins. Where something has no price in it, or cannot be
 * paid in it, the brand's own stands in.
 */
export function setWantedCurrency(code: string): void {
  currencyKey.set(code);
  tell();
}

/** The choice of this device; undefined where there is none, and in the HTML of the server. */
export function useWantedCurrency(): string | undefined {
  return useStore<string | undefined>({ subscribe, get: currencyKey.get }, undefined);
}
