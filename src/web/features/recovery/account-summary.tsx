import { Trans } from '@lingui/react/macro';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './account-summary.module.css';

interface AccountSummaryProps {
  identity: Identity | undefined;
  onChange: () => void;
}

/** The account as typed, and a button to change it. A password manager reads it as the username. */
export function AccountSummary({ identity, onChange }: AccountSummaryProps) {
  if (!identity) return null;
  const { account, type, areaCode } = identity;
  const [name, host] = account.split('@');
  return (
    <div className={styles.whose}>
      <KnownUsername value={account} />
      <b data-private translate="no">
        <span>{type === 'phone' ? `+${areaCode ?? ''} ${account}` : name}</span>
        {/* a long address wraps before its domain */}
        {host === undefined ? null : <wbr />}
        <span>{host === undefined ? null : `@${host}`}</span>
      </b>
      <Button variant="quiet" onClick={onChange}>
        <Trans>Change</Trans>
      </Button>
    </div>
  );
}
