import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryUrv } from '#contract/account.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import styles from './account.module.css';
import { Boxes } from './boxes.tsx';
import { Messages } from './messages.tsx';
import { useMailRequest } from '#web/domain/auth/use-mail-request.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { resendConfirmation } from '#contract/email.ts';
import authStyles from '#web/domain/auth/auth-form.module.css';
import { SendCodeWords } from '#web/domain/auth/codes/send-code-words.tsx';
import { useResend } from '#web/domain/auth/use-resend.ts';
import { useSecondsLeft } from '#web/domain/auth/codes/wait-words.ts';
import { Alert } from '#web/ui/alert.tsx';

/** Shows that the account's email is not confirmed, and resends the confirmation. */
function ConfirmReminder({ address }: { address: string }) {
  const email = <AccountName account={address} />;
  const request = useMailRequest(resendConfirmation);
  const { mutate, isPending, problem, captcha } = useResend(request, address);
  const seconds = useSecondsLeft(request.sent);
  const again = (
    <Button variant="secondary" className={authStyles.again} busy={isPending} disabled={seconds > 0} onClick={mutate}>
      {request.sent ? <SendCodeWords sent seconds={seconds} /> : <Trans>Send me the email</Trans>}
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

/** Emails to the address bounce, so the shop sends only requested emails to it. */
function BouncingEmail({ email }: { email: string }) {
  const change = (
    <Link to="/settings" className={buttonClass({ variant: 'secondary' })}>
      <Trans>Change the email</Trans>
    </Link>
  );
  return (
    <div className={styles.reminder}>
      <Alert tone="warning" title={<Trans>Mail to {email} comes back</Trans>} action={change}>
        <p>
          <Trans>
            Receipts and reminders are not sent there any more. Codes that you ask for still are. If the address is
            right, write to us.
          </Trans>
        </p>
      </Alert>
    </div>
  );
}

/** What the customer still has to do; the page works without it. */
const urvQuery = q(queryUrv, {}, { quiet: true });

/** Requests another email address if emails bounce, and confirmation while it is due. */
export function ConfirmDue() {
  const { data } = useQuery(urvQuery);
  if (data?.email && data.mailBounces) return <BouncingEmail email={data.email} />;
  return data?.email && !data.emailVerified ? <ConfirmReminder address={data.email} /> : null;
}

interface SecurityProps {
  /** epoch milliseconds; null before the first plan */
  expiredTime: number | null;
}

/** Devices with notifications, and TV devices that are logged in. */
export function Security({ expiredTime }: SecurityProps) {
  const buysOnly = useSession()?.buysOnly === true;
  if (buysOnly) return <ChangeOnPhoneHint />;
  return (
    <>
      <Boxes />
      <Messages expiredTime={expiredTime} />
    </>
  );
}

/** A TV session, or a phone that was handed a checkout, may not change the account. */
function ChangeOnPhoneHint() {
  return (
    <p className={styles.soft}>
      <Trans>
        You are signed in here to watch and to buy. Log in on your phone to change your password or your TVs.
      </Trans>
    </p>
  );
}
