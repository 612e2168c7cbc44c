import { useEffect } from 'react';
import { Outlet } from '@tanstack/react-router';
import { UpdateOfferSlot } from '../pwa/update-offer-slot.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

/** What is on every page, whatever its layout. Hydration is marked for the bench and for tests. */
export function RootLayout() {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!hydrated) return;
    performance.mark('marquee:hydrated');
    document.documentElement.dataset.hydrated = '';
  }, [hydrated]);
  return (
    <>
      <Outlet />
      <ToastRegion />
      {hydrated ? <UpdateOfferSlot /> : null}
    </>
  );
}
