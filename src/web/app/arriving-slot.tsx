import { lazy, Suspense, useState, type ReactNode } from 'react';
import { peekSecret } from '../entry/arrive.ts';
import { ensureWords } from '../i18n/catalogs.ts';
import { Skeleton } from '../ui/skeleton.tsx';

const Arriving = lazy(async () => {
  const [{ Arriving: component }] = await Promise.all([
    import('../features/arriving/arriving.tsx'),
    ensureWords('identity'),
  ]);
  return { default: component };
});

interface ArrivingSlotProps {
  returnTo: string | undefined;
  /** the login page, with what stands above its form */
  children: (before: ReactNode) => ReactNode;
}

/**
 * Stands in for the login page while a link's token or a provider's answer waits, so that nobody is led on as the one
 * who is signed in here before they have answered. Costs nothing when none waits, which is so in all HTML of the server.
 */
export function ArrivingSlot({ returnTo, children }: ArrivingSlotProps) {
  const [waits, setWaits] = useState(() => (peekSecret('appToken') ?? peekSecret('google')) !== undefined);
  const [before, setBefore] = useState<ReactNode>(null);
  if (!waits) return children(before);
  const showForm = (words: ReactNode) => {
    setBefore(words);
    setWaits(false);
  };
  return (
    <Suspense fallback={<Skeleton lines={4} height={28} />}>
      <Arriving returnTo={returnTo} onForm={showForm} />
    </Suspense>
  );
}
