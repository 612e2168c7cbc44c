import { lazy, memo, Suspense } from 'react';

/** Fetched at once, so that it is there when the form is; only nothing waits for it. */
const loading = import('./other-ways.tsx').then(({ OtherWays }) => OtherWays);

/** Nobody misses a way in that cannot be fetched as much as the form that it would take along. */
const later = lazy(async () => ({ default: await loading.catch(() => () => null) }));

/**
 * The server writes them into the page, and the browser takes them over after the form, whose script they would hold
 * up. The server cannot wait while it writes, so it has them from the start.
 */
const OtherWays = import.meta.env.SSR ? await loading : later;

/** `memo`: drawing it again before the browser has taken it over would throw away what the server wrote. */
export const OtherWaysSlot = memo(function OtherWaysSlot({ returnTo }: { returnTo: string | undefined }) {
  return (
    <Suspense>
      <OtherWays returnTo={returnTo} />
    </Suspense>
  );
});
