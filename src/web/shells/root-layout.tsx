import { Outlet } from '@tanstack/react-router';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';

const Extras = lazyPart(async () => (await import('./extras.tsx')).Extras);

/** The parts of every page, in any layout. */
export function RootLayout() {
  const hydrated = useHydrated();
  return (
    <>
      <Outlet />
      {hydrated ? <Extras /> : null}
    </>
  );
}
