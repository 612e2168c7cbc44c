import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';

const againMs = 4000;

/**
 * Leads on to another page of ours in place of this one. `path` has its query with it. As long as this is to be seen, it
 * has not led there: a press of Back at the same moment was seen to take its way away, so it is tried again.
 */
export function GoTo({ path }: { path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const go = () => void navigate({ href: path, replace: true });
    go();
    const timer = setInterval(go, againMs);
    return () => clearInterval(timer);
  }, [navigate, path]);
  return <Spinner label={<Trans>One moment…</Trans>} />;
}
