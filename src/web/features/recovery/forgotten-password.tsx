import { Trans } from '@lingui/react/macro';
import { AccountName } from '#web/domain/account/names.tsx';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import styles from '#web/domain/auth/auth-form.module.css';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { useWaitingButton } from '#web/platform/entry/use-waiting-button.ts';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import type { Forgot } from './use-forgot.ts';

/** The account, and how to send the code or link; the result is the same for every account. */
export function ForgottenPassword({ forgot }: { forgot: Forgot }) {
  const { mail } = forgot;
  if (!mail.sent) return <ForgottenForm forgot={forgot} />;
  // unmasked, as typed here, so that a typing error is noticed
  const address = <AccountName account={mail.sent.email} />;
  return (
    <MailSent request={mail} onOther={mail.forget}>
      <Trans>If there is an account for {address}, an email with a link is on its way.</Trans>
    </MailSent>
  );
}

function ForgottenForm({ forgot }: { forgot: Forgot }) {
  const { form, account, mail, code } = forgot;
  const problem = form.summary ?? code.problem;
  return (
    <form className={styles.form} {...form.formProps} data-plain>
      <Problem>{problem}</Problem>
      <AccountFields form={form} account={account} problem={code.accountProblem} />
      {mail.captcha.view}
      {code.captcha.view}
      <SubmitButtons forgot={forgot} />
    </form>
  );
}

/** The Enter key submits by the first button. */
function SubmitButtons({ forgot }: { forgot: Forgot }) {
  const { form, account, sendCodeInstead } = forgot;
  const waiting = useWaitingButton('code');
  if (account.tab === 'phone') {
    return (
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Send me a code</Trans>
      </SubmitButton>
    );
  }
  return (
    <>
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Send me a link</Trans>
      </SubmitButton>
      <Button variant="secondary" wide busy={form.isSubmitting} {...waiting} onClick={sendCodeInstead}>
        <Trans>Send me a code</Trans>
      </Button>
    </>
  );
}
