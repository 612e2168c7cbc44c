import { Trans } from '@lingui/react/macro';
import { resendConfirmation } from '../../../contract/email.ts';
import { accountDraft } from '../../account-form/account-draft.ts';
import { accountProblems, emptyAccount } from '../../account-form/account-rules.ts';
import styles from '../../account-form/auth-form.module.css';
import { EmailField } from '../../account-form/email-field.tsx';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { call } from '../../api/client.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import { useForm, withoutSpaces } from '../../form/use-form.ts';
import { useMailRequest, type AskForMail } from '../../identity/use-mail-request.ts';
import { Problem } from '../../ui/problem.tsx';
import { useSession } from '../../session/session.ts';
import { MailSent } from '../../identity/mail-sent.tsx';
import { maskAccount } from '../../../contract/mask.ts';

const ask: AskForMail = (body, owns) => call(resendConfirmation, { body }, { owns });

/** The address to confirm, and after that the words that are the same for every address. */
export function AskConfirmation() {
  const { form, mail } = useAskConfirmation();
  const { captcha, sent } = mail;
  if (sent) {
    const address = maskAccount(sent.email);
    return (
      <MailSent request={mail} onOther={mail.forget}>
        <Trans>If {address} has an account that is not confirmed yet, a mail is on its way.</Trans>
      </MailSent>
    );
  }
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <EmailField {...form.text('account', withoutSpaces)} />
      {captcha.view}
      <SubmitButton busy={form.busy}>
        <Trans>Send me the mail</Trans>
      </SubmitButton>
    </form>
  );
}

/** Whoever is signed in by an address does not type it again. */
function useAskConfirmation() {
  const { validRules } = useBrand().siteConfig;
  const user = useSession();
  const mail = useMailRequest(ask, resendConfirmation.errors);
  const account = user?.type === 'email' ? user.account : (accountDraft.get()?.account ?? '');
  const form = useForm({
    initial: { account },
    check: (values) => accountProblems('email', { ...emptyAccount, ...values }, validRules),
    submit: ({ account: email }) => mail.send(email),
  });
  return { form, mail };
}
