import { Trans, Plural } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './auth-form.module.css';
import { type MailRequest, useResend } from './use-mail-request.ts';
import { useSecondsLeft, type useCode } from './codes/use-code.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';

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
        <Trans>Nothing after a minute? Check your spam folder.</Trans>
      </Alert>
      <p className="sr-only" role="status">
        {sent && sent.times > 1 ? <Trans>We’ve sent it again.</Trans> : null}
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

interface SendAgainProps {
  code: Pick<ReturnType<typeof useCode>, 'busy' | 'waitSeconds'>;
  onTap: () => void;
}

/** Below the form's main button, because only customers without a code need it. */
export function SendAgain({ code, onTap }: SendAgainProps) {
  return (
    <Button
      variant="quiet"
      wide
      className={classNames(styles.quiet, styles.again)}
      busy={code.busy}
      disabled={code.waitSeconds > 0}
      onClick={onTap}
    >
      <SendCodeLabel sent seconds={code.waitSeconds} />
    </Button>
  );
}

interface SendCodeWordsProps {
  sent: boolean;
  /** until another code can be requested */
  seconds: number;
}

const hour = 3600;

/** The label of the button that requests a code: now, again, or when. */
export function SendCodeLabel({ sent, seconds }: SendCodeWordsProps) {
  if (seconds > hour) {
    const hours = Math.ceil(seconds / hour);
    return (
      <Trans>
        Send again in <Plural value={hours} one="# hour" other="# hours" />
      </Trans>
    );
  }
  if (seconds > 0) {
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    // In one element: a button spaces its children.
    return (
      <span>
        <Trans>
          Send again in{' '}
          <span className="num" translate="no">
            {time}
          </span>
        </Trans>
      </span>
    );
  }
  return sent ? <Trans>Send again</Trans> : <Trans>Send code</Trans>;
}
