import { Trans, useLingui } from '@lingui/react/macro';
import { useKeepAccount } from '#web/domain/account/use-keep-account.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './my-data.module.css';
import { timeText } from '#web/platform/i18n/day-text.ts';

const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

interface KeepProps {
  leavesAt: number;
  /** a charge of the renewal, which the deletion turned off, is in progress at the bank */
  charging: boolean;
  /** it replaced the form that had the focus */
  moved: boolean;
  onMove: () => void;
}

/** The week in which the deletion can be cancelled. */
export function KeepAccount({ leavesAt, charging, moved, onMove }: KeepProps) {
  const { i18n } = useLingui();
  const buysOnly = useSession()?.buysOnly === true;
  const { mutate, isPending, problem } = useKeepAccount(onMove);
  const day = timeText(i18n, leavesAt, 'full');
  const keep = (
    <Button ref={moved ? takeFocus : null} busy={isPending} onClick={mutate}>
      <Trans>Keep my account</Trans>
    </Button>
  );
  return (
    <Alert tone="warning" title={<Trans>Your account will be deleted on {day}</Trans>} action={buysOnly ? null : keep}>
      <p>
        <Trans>
          Until then you can log in and watch, and keep your account by one tap. Nothing is charged, and nothing can be
          bought. A renewal stays off, also when you stay.
        </Trans>
      </p>
      {charging ? (
        <p>
          <Trans>One payment of your renewal was at your bank already. If it comes through, its days are yours.</Trans>
        </p>
      ) : null}
      <div className={styles.gap}>
        <Problem>{problem}</Problem>
      </div>
    </Alert>
  );
}
