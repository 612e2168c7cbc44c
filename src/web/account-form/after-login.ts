import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeReturnPath } from '../entry/return-path.ts';
import { useSession } from '../session/session.ts';

/** Whoever is signed in has no business here: they go on to where they came from, or to `otherwise`. */
export function useGoOnWhenSignedIn(returnTo: string | undefined, otherwise: string): void {
  const signedIn = useSession() !== null;
  const navigate = useNavigate();
  const href = safeReturnPath(returnTo) ?? otherwise;
  useEffect(() => {
    if (signedIn) void navigate({ href, replace: true });
  }, [signedIn, navigate, href]);
}
