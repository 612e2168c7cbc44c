import { useState } from 'react';
import { peekSecret } from '#web/platform/entry/secret-store.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Elements } from '#web/ui/elements.ts';

const ExternalSignIn = lazyPart(
  async () => (await withMessages('private', import('#web/features/auth/sign-on/external-sign-in.tsx'))).ExternalSignIn,
  { meanwhile: <Skeleton lines={4} height={28} /> },
);

interface ExternalSignInSlotProps {
  returnTo: string | undefined;
  /** renders the login page, with the content above its form */
  children: (before: Elements) => Elements;
}

/**
 * Replaces the login page while a link's token or a provider's answer is pending, so that a signed-in customer is not
 * redirected before they have chosen. Loads nothing when none is pending, as in all HTML of the server.
 */
export function ExternalSignInSlot({ returnTo, children }: ExternalSignInSlotProps) {
  const [waits, setWaits] = useState(() => (peekSecret('appToken') ?? peekSecret('google')) !== undefined);
  const [before, setBefore] = useState<Elements>(null);
  if (!waits) return children(before);
  const showForm = (content: Elements) => {
    setBefore(content);
    setWaits(false);
  };
  return <ExternalSignIn returnTo={returnTo} onForm={showForm} />;
}
