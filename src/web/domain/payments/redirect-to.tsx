import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';

const againMs = 4000;

/**
 * Redirects to another page of the storefront. `path` includes its query. It retries while it is mounted: pressing Back
 * at the same moment was seen to cancel the navigation.
 */
export function RedirectTo({ path }: { path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const go = () => void navigate({ href: path, replace: true });
    go();
    const timer = setInterval(go, againMs);
    return () => clearInterval(timer);
  }, [navigate, path]);
  return <Spinner label={<Trans>One moment…</Trans>} />;
}
