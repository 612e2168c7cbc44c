import { Trans } from '@lingui/react/macro';
import { useState, type Ref } from 'react';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useCancelDeletion } from '#web/domain/account/use-cancel-deletion.ts';
import { DateText } from './period-text.tsx';

interface LeavingNoticeProps {
  /** when the account is deleted; epoch milliseconds */
  at: number;
  /** receives the focus when an action requires cancelling the deletion first */
  ref?: Ref<HTMLDivElement> | undefined;
  onKept?: (() => void) | undefined;
}

/** Explains that nothing can be bought before the account is deleted, and cancels the deletion by one tap. */
export function DeletionNotice({ at, ref, onKept }: LeavingNoticeProps) {
  const [kept, setKept] = useState(false);
  const keep = () => {
    setKept(true);
    onKept?.();
  };
  return (
    <div ref={ref} tabIndex={-1} data-private>
      {kept ? <KeptNotice /> : <DueNotice at={at} onKept={keep} />}
    </div>
  );
}

function DueNotice({ at, onKept }: { at: number; onKept: () => void }) {
  const buysOnly = useSession()?.buysOnly === true;
  const { mutate, isPending, problem } = useCancelDeletion(onKept);
  const day = <DateText at={at} />;
  const keep = (
    <Button busy={isPending} onClick={mutate}>
      <Trans>Keep my account</Trans>
    </Button>
  );
  return (
    <Alert
      tone="warning"
      title={<Trans>Your account will be deleted on {day}</Trans>}
      action={buysOnly ? undefined : keep}
    >
      <p>
        <Trans>A plan you buy now would be lost, so keep your account before you buy.</Trans>
      </p>
      {buysOnly ? (
        <p>
          <Trans>To keep it, log in on your own phone or computer.</Trans>
        </p>
      ) : null}
      <Problem>{problem}</Problem>
    </Alert>
  );
}

function KeptNotice() {
  return (
    <Alert tone="success" live="polite">
      <Trans>We won’t delete your account. You can buy now.</Trans>
    </Alert>
  );
}
