import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Spinner } from '../ui/spinner.tsx';

/** Leads on to another page of ours in place of this one. `path` has its query with it. */
export function GoTo({ path }: { path: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ href: path, replace: true });
  }, [navigate, path]);
  return <Spinner label={<Trans>One moment…</Trans>} />;
}
