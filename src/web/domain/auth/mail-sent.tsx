import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './auth-form.module.css';
import { SendCodeWords } from './codes/send-code-words.tsx';
import type { MailRequest } from './use-mail-request.ts';
import { useResend } from './use-resend.ts';
import { useSecondsLeft } from './codes/wait-words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';

interface MailSentProps {
  request: MailRequest;
  /** what was sent, and to whom */
  children: ReactNode;
  /** leads back to the form; left out where the address is not the customer's to choose */
  onOther?: (() => void) | undefined;
}

/** After a mail was asked for: the same words for every address, what to do when none comes, and another one. */
export function MailSent({ request, children, onOther }: MailSentProps) {
  const { sent } = request;
  const seconds = useSecondsLeft(sent);
  const ref = useFocusHere();
  const again = useResend(request, sent?.email ?? '');
  return (
    <div className={styles.form} ref={ref} tabIndex={-1}>
      <Alert tone="success" live="polite" title={children}>
        <Trans>Nothing there after a minute? Check your spam folder, too.</Trans>
      </Alert>
      <p className="sr-only" role="status">
        {sent && sent.times > 1 ? <Trans>We have sent it again.</Trans> : null}
      </p>
      <Problem>{again.problem}</Problem>
      {again.captcha}
      <Button
        variant="secondary"
        wide
        className={styles.again}
        busy={again.isPending}
        disabled={seconds > 0}
        onClick={again.mutate}
      >
        <SendCodeWords sent seconds={seconds} />
      </Button>
      {onOther ? (
        <Button variant="quiet" wide className={styles.quiet} onClick={onOther}>
          <Trans>Use another address</Trans>
        </Button>
      ) : null}
    </div>
  );
}

/** The form that had the focus is gone: what came in its place takes it, and is read out. */
function useFocusHere() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
