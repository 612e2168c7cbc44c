import { useEffect } from 'react';
import { Outlet } from '@tanstack/react-router';
import { UpdateOfferSlot } from '../pwa/update-offer-slot.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { late } from '../ui/late.tsx';

const ToastRegion = late(async () => (await import('../ui/toast.tsx')).ToastRegion);

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
      {hydrated ? <ToastRegion /> : null}
      {hydrated ? <UpdateOfferSlot /> : null}
    </>
  );
}
