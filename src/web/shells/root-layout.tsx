import { useEffect } from 'react';
import { Outlet } from '@tanstack/react-router';
import { replayEarlyTaps } from '#web/platform/entry/early-taps.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';

const Extras = lazyPart(() => import('./extras.tsx').then((part) => part.Extras));

/** The parts of every page, in any layout. Records the end of hydration for the benchmark and for tests. */
export function RootLayout() {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!hydrated) return;
    performance.mark('marquee:hydrated');
    document.documentElement.dataset.hydrated = '';
    replayEarlyTaps();
  }, [hydrated]);
  return (
    <>
      <Outlet />
      {hydrated ? <Extras /> : null}
    </>
  );
}
