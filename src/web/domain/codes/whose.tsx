import { Trans } from '@lingui/react/macro';
import type { Identity } from '../auth/account-rules.ts';
import auth from '../auth/auth-form.module.css';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SendCodeWords } from './send-code-words.tsx';
import type { useCode } from './use-code.ts';
import styles from './whose.module.css';

interface WhoseProps {
  identity: Identity | undefined;
  onChange: () => void;
}

/** The account as it was typed, and the way back to it. A password manager reads from here whose password follows. */
export function Whose({ identity, onChange }: WhoseProps) {
  if (!identity) return null;
  const { account, type, areaCode } = identity;
  const [name, host] = account.split('@');
  return (
    <div className={styles.whose}>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <b data-private>
        {type === 'phone' ? `+${areaCode ?? ''} ${account}` : name}
        {/* a long address goes on where it can be read */}
        {host === undefined ? null : <wbr />}
        {host === undefined ? null : `@${host}`}
      </b>
      <Button variant="quiet" onClick={onChange}>
        <Trans>Change</Trans>
      </Button>
    </div>
  );
}

interface SendAgainProps {
  code: Pick<ReturnType<typeof useCode>, 'busy' | 'waitSeconds'>;
  onTap: () => void;
}

/** Below the form's own button, because it is for those to whom nothing came. */
export function SendAgain({ code, onTap }: SendAgainProps) {
  return (
    <Button
      variant="quiet"
      wide
      className={classNames(auth.quiet, auth.again)}
      busy={code.busy}
      disabled={code.waitSeconds > 0}
      onClick={onTap}
    >
      <SendCodeWords sent seconds={code.waitSeconds} />
    </Button>
  );
}
