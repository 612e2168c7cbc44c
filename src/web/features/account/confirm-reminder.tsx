import { Trans } from '@lingui/react/macro';
import { resendConfirmation } from '../../../contract/email.ts';
import authStyles from '../../account-form/auth-form.module.css';
import { call } from '../../api/client.ts';
import { SendCodeWords } from '../../identity/send-code-words.tsx';
import { useMailRequest, type AskForMail } from '../../identity/use-mail-request.ts';
import { useResend } from '../../identity/use-resend.ts';
import { useSecondsLeft } from '../../identity/use-seconds-left.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './account.module.css';

const ask: AskForMail = (body, owns) => call(resendConfirmation, { body }, { owns });

/** The e-mail of the account is not confirmed yet: says so, and sends the mail once more. */
export function ConfirmReminder({ email }: { email: string }) {
  const request = useMailRequest(ask, resendConfirmation.errors);
  const { tap, busy, problem, captcha } = useResend(request, email);
  const seconds = useSecondsLeft(request.sent);
  const again = (
    <Button variant="secondary" className={authStyles.again} busy={busy} disabled={seconds > 0} onClick={tap}>
      {request.sent ? <SendCodeWords sent seconds={seconds} /> : <Trans>Send me the mail</Trans>}
    </Button>
  );
  return (
    <div className={styles.reminder}>
      <Alert tone="warning" title={<Trans>Confirm your email</Trans>} action={again}>
        <p role="status">
          {request.sent ? (
            <Trans>A mail is on its way to {email}. Follow its link; look in the folder for spam, too.</Trans>
          ) : (
            <Trans>So that receipts and a new password always reach you at {email}.</Trans>
          )}
        </p>
        {problem ? <p role="alert">{problem}</p> : null}
        {captcha}
      </Alert>
    </div>
  );
}
