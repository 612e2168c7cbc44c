import { Trans } from '@lingui/react/macro';
import { resendConfirmation } from '#contract/email.ts';
import { accountDraft, accountProblems, emptyAccount } from '#web/domain/auth/account-rules.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { EmailField } from '#web/domain/auth/email-field.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import { useMailRequest } from '#web/domain/auth/use-mail-request.ts';
import { Problem } from '#web/ui/problem.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';

/** The form for the address to confirm, then a text that is the same for every address. */
export function AskConfirmation() {
  const { form, mail } = useAskConfirmation();
  const { captcha, sent } = mail;
  if (sent) {
    const address = <Untranslated text={sent.email} />;
    return (
      <MailSent request={mail} onOther={mail.forget}>
        <Trans>If {address} has an account that is not confirmed yet, an email is on its way.</Trans>
      </MailSent>
    );
  }
  return (
    <form className={styles.form} {...form.formProps} data-plain>
      <Problem>{form.summary}</Problem>
      <EmailField
        {...form.register('account', { setValueAs: withoutSpaces })}
        onPick={(address) => form.setValue('account', address)}
      />
      {captcha.view}
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Send me the email</Trans>
      </SubmitButton>
    </form>
  );
}

/** A customer who is logged in by email need not type the address. */
function useAskConfirmation() {
  const { validRules } = useBrand().siteConfig;
  const user = useSession();
  const mail = useMailRequest(resendConfirmation);
  const account = user?.type === 'email' ? user.account : (accountDraft.get()?.account ?? '');
  const form = useForm({
    initial: { account },
    check: (values) => accountProblems('email', { ...emptyAccount, ...values }, validRules),
    submit: ({ account: email }) => mail.send(email),
  });
  return { form, mail };
}
