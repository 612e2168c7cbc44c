import { lazy, Suspense } from 'react';
import { useUpdateOffer } from './update-offer-store.ts';

const UpdateOffer = lazy(() => import('./update-offer.tsx').then((module) => ({ default: module.UpdateOffer })));

/** Mounted once by the root layout; costs nothing until there is an update to offer. */
export function UpdateOfferSlot() {
  const offered = useUpdateOffer();
  if (!offered) return null;
  return (
    <Suspense>
      <UpdateOffer />
    </Suspense>
  );
}
