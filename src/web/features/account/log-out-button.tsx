import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { logOut } from '../../session/log-out.ts';
import { Button } from '../../ui/button.tsx';
import { LogOut } from '../../ui/icon.tsx';
import styles from './account.module.css';

/** Ends the session and wipes what was the customer's from this phone ([Note: Logout]). */
export function LogOutButton() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    // At once, however long the way home is: who closes the tab now must not stay signed in.
    const wiped = logOut(client);
    await navigate({ to: '/' });
    await wiped;
  };
  return (
    <div className={styles.leave}>
      <Button variant="secondary" busy={busy} onClick={() => void leave()}>
        <LogOut aria-hidden />
        <Trans>Log out</Trans>
      </Button>
    </div>
  );
}
