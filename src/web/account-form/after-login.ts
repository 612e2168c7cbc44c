import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeReturnPath } from '../entry/return-path.ts';
import { useSession } from '../session/session.ts';

/**
 * Whoever is signed in has no business here: they go on to where they came from, or to `otherwise`. Answers whether
 * they are on their way, which on a slow line takes a while in which nothing here is to be tapped any more.
 */
export function useGoOnWhenSignedIn(returnTo: string | undefined, otherwise: string): boolean {
  const signedIn = useSession() !== null;
  const navigate = useNavigate();
  const href = safeReturnPath(returnTo) ?? otherwise;
  useEffect(() => {
    if (signedIn) void navigate({ href, replace: true });
  }, [signedIn, navigate, href]);
  return signedIn;
}
