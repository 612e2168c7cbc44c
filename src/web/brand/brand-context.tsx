import { createContext, use } from 'react';
import type { BrandState } from '../../contract/page.ts';

/** The brand of this page. Components read it and never name one (law 10). */
export const BrandContext = createContext<BrandState | undefined>(undefined);

export function useBrand(): BrandState {
  const brand = use(BrandContext);
  if (!brand) throw new Error('useBrand needs a BrandContext above it');
  return brand;
}
