import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './auth-form.module.css';
import { SendCodeLabel } from './codes/send-again.tsx';
import { type MailRequest, useResend } from './use-mail-request.ts';
import { useSecondsLeft } from './codes/wait-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';

interface MailSentProps {
  request: MailRequest;
  /** the message: what was sent and to which address */
  children: ReactNode;
  /** returns to the form; undefined if the customer cannot choose the address */
  onOther?: (() => void) | undefined;
}

/** Shown after an email was requested: the same text for every address, help if none arrives, and a resend button. */
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
        <SendCodeLabel sent seconds={seconds} />
      </Button>
      {onOther ? (
        <Button variant="quiet" wide className={styles.quiet} onClick={onOther}>
          <Trans>Use another address</Trans>
        </Button>
      ) : null}
    </div>
  );
}

/** The focused form was removed: this replacement takes the focus and is announced. */
function useFocusHere() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
