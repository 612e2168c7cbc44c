import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useKeepAccount } from '#web/domain/account/use-keep-account.ts';
import { Day } from '#web/domain/payments/renewal-words.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { well, type Said } from './renewal-act.ts';
import styles from './renewal.module.css';

interface LeavingRenewalProps {
  /** when the account is deleted; epoch milliseconds */
  at: number;
  onSaid: (said: Said) => void;
}

/** Replaces the switch: while the account is to be deleted, the shop refuses to turn the renewal on. */
export function LeavingRenewal({ at, onSaid }: LeavingRenewalProps) {
  const buysOnly = useSession()?.buysOnly === true;
  const kept = () => onSaid(well((i18n) => i18n._(msg`Your account will not be deleted. The renewal stays off.`)));
  const { mutate, isPending, problem } = useKeepAccount(kept);
  const day = <Day at={at} />;
  return (
    <>
      <p>
        <Trans>Automatic renewal cannot be turned on, because your account will be deleted on {day}.</Trans>
      </p>
      <Problem>{problem}</Problem>
      {buysOnly ? null : (
        <div className={styles.actions}>
          <Button variant="secondary" busy={isPending} onClick={mutate}>
            <Trans>Keep my account</Trans>
          </Button>
        </div>
      )}
    </>
  );
}
