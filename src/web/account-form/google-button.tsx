import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { googleClientQuery } from './google-client.ts';
import { GoogleMark } from './google-mark.tsx';
import { partMissing } from './use-part.ts';

/** The provider, for brands that have it. */
export function useGoogleClient() {
  const client = useQuery(googleClientQuery).data;
  return client?.clientId && client.authorizationEndpoint ? client : undefined;
}

interface GoogleButtonProps {
  client: { clientId: string; authorizationEndpoint: string };
  /** a path of the storefront to come back to */
  returnTo: string | undefined;
}

/** Leads to Google and back, with no script of theirs on our pages. */
export function GoogleButton({ client, returnTo }: GoogleButtonProps) {
  const alive = useHydrated();
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // Back from Google without an answer: the page may come out of the browser's memory as it was left.
    const back = () => setLeaving(false);
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);
  const start = async () => {
    setLeaving(true);
    try {
      const { startGoogle } = await import('../identity/google-start.ts');
      startGoogle(client, returnTo);
    } catch (error) {
      setLeaving(false);
      partMissing(error);
    }
  };
  return (
    <Button
      variant="secondary"
      wide
      busy={leaving}
      disabled={!alive}
      {...(alive ? {} : { 'data-waiting': '' })}
      onClick={() => void start()}
    >
      <GoogleMark />
      <Trans>Continue with Google</Trans>
    </Button>
  );
}
