import { Trans } from '@lingui/react/macro';
import { MailSent } from '../../identity/mail-sent.tsx';
import { useOwnLink } from '../../identity/use-own-link.ts';
import { Problem } from '../../ui/problem.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './account.module.css';

/** For an account without a password: the link of a mail sets the first one. */
export function SetPassword({ email }: { email: string }) {
  const { request, tap, busy, problem } = useOwnLink(email);
  if (request.sent) {
    return (
      <div className={styles.form}>
        <MailSent request={request}>
          <Trans>A mail with a link is on its way to {email}.</Trans>
        </MailSent>
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <p className={styles.soft}>
        <Trans>You have no password yet. With one you can log in on any device by your email.</Trans>
      </p>
      <Problem>{problem}</Problem>
      <div>
        <Button variant="secondary" busy={busy} onClick={tap}>
          <Trans>Set a password</Trans>
        </Button>
      </div>
    </div>
  );
}
