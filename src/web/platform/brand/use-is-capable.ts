import { isCapable, type Capability } from '#contract/capabilities.ts';
import { useBrand } from './brand-context.tsx';

/** Whether the backend of this storefront can do something. */
export const useIsCapable = (capability: Capability): boolean => isCapable(useBrand().siteConfig, capability);
