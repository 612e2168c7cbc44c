import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { useWaitingButton } from '#web/platform/entry/use-waiting-button.ts';
import { isInApp } from '#web/platform/entry/engine/in-app-browser.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { googleClientQuery } from './google-client.ts';
import { reportMissingModule, useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';

/** The Google client of brands that have one. */
export function useGoogleClient() {
  const client = useQuery(googleClientQuery).data;
  return client?.clientId && client.authorizationEndpoint ? client : undefined;
}

interface GoogleButtonProps {
  client: { clientId: string; authorizationEndpoint: string };
  /** path of the storefront to return to */
  returnTo: string | undefined;
}

/**
 * Redirects to Google without a Google script on our pages. Google refuses logins inside other apps, so the page
 * explains how to open a browser. A TV has no browser; the login by phone is beside the form.
 */
export function GoogleButton(props: GoogleButtonProps) {
  const isHydrated = useHydrated();
  if (!isHydrated || !isInApp()) return <GoogleLink {...props} />;
  return document.documentElement.dataset.screen ? null : <InAppNotice missing="google" />;
}

function GoogleLink({ client, returnTo }: GoogleButtonProps) {
  const waiting = useWaitingButton('google');
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // After Back from Google without an answer, the page may come from the back/forward cache.
    const back = () => setLeaving(false);
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);
  const start = async () => {
    setLeaving(true);
    try {
      const { startGoogle } = await import('./google-state.ts');
      startGoogle(client, returnTo);
    } catch (error) {
      setLeaving(false);
      reportMissingModule(error);
    }
  };
  return (
    <Button variant="secondary" wide busy={leaving} {...waiting} onClick={() => void start()}>
      <GoogleMark />
      <Trans>Continue with Google</Trans>
    </Button>
  );
}

/** Google's logo in its own colours, as Google's branding rules require. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" width="20" height="20" aria-hidden>
      <path
        fill="#4285f4"
        d="M45 24.5c0-1.6-.1-2.7-.4-3.9H24v7.1h12c-.2 1.8-1.5 4.4-4.4 6.2l6.8 5.3c4-3.7 6.6-9.2 6.6-14.7Z"
      />
      <path
        fill="#34a853"
        d="M24 46c5.9 0 10.9-2 14.5-5.3L31.7 35.3c-1.9 1.3-4.4 2.2-7.7 2.2a13.4 13.4 0 0 1-12.7-9.3L4.3 33.6A22 22 0 0 0 24 46Z"
      />
      <path fill="#fbbc05" d="M11.3 28.2a13.5 13.5 0 0 1 0-8.5L4.3 14.2a22 22 0 0 0 0 19.5l7-5.5Z" />
      <path
        fill="#ea4335"
        d="M24 10.5c4.2 0 7 1.8 8.6 3.3l6.2-6.1A21.1 21.1 0 0 0 24 2 22 22 0 0 0 4.3 14.2l7 5.5A13.4 13.4 0 0 1 24 10.5Z"
      />
    </svg>
  );
}

const load = () => withMessages('private', import('./open-in-browser.tsx'));

/** Loaded inside other apps only. */
export function InAppNotice({ missing }: { missing: 'google' | 'download' }) {
  const [notices, want] = useLazyModule(load);
  useEffect(() => void want(), [want]);
  if (!notices) return null;
  return missing === 'google' ? <notices.GoogleInBrowser /> : <notices.DownloadInBrowser />;
}
