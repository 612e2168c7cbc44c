import { Trans } from '@lingui/react/macro';
import authStyles from '#web/domain/auth/auth-form.module.css';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { CodeField, useFreshCode } from '#web/domain/auth/codes/code-field.tsx';
import { codeProblem } from '#web/domain/auth/codes/code-words.ts';
import { SendCodeWords } from '#web/domain/auth/codes/send-code-words.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems } from '#web/platform/form/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { FormActions } from './setting-row.tsx';
import styles from './settings.module.css';
import type { ContactChange } from './use-contact.ts';
import { useAction } from '#web/platform/form/use-action.ts';

type Values = Readonly<{ code: string }>;

interface ContactCodeProps {
  contact: ContactChange;
  to: Identity;
  onDone: () => void;
  onCancel: () => void;
}

function useTypedCode(contact: ContactChange, onDone: () => void) {
  return useForm<Values>({
    initial: { code: '' },
    check: ({ code }) => onlyProblems({ code: codeProblem(code) }),
    submit: async ({ code }) => {
      const { result, error, refusal } = await contact.change(code);
      if (result) onDone();
      if (error?.is('requestExpired')) contact.back();
      return refusal;
    },
  });
}

/** The code that was sent to the new address or number; it is submitted when it is complete. */
export function ContactCode({ contact, to, onDone, onCancel }: ContactCodeProps) {
  const form = useTypedCode(contact, onDone);
  const { sent, captcha } = contact.contact;
  useFreshCode(form, sent?.request);
  const account = to.type === 'phone' ? `+${to.areaCode ?? ''} ${to.account}` : to.account;
  return (
    <form className={styles.form} {...form.formProps}>
      <p role="status">
        <Trans>
          A code is on its way to <b translate="no">{account}</b>.
        </Trans>
      </p>
      <Problem>{form.summary}</Problem>
      <CodeField
        value={form.values.code}
        error={form.errors.code}
        focusOn={sent}
        onChange={(code) => form.setValue('code', code)}
        onComplete={() => form.formProps.ref.current?.requestSubmit()}
      />
      {captcha.view}
      <SendAgain contact={contact} to={to} />
      <Button variant="quiet" className={styles.other} onClick={contact.back}>
        {to.type === 'email' ? <Trans>Use another address</Trans> : <Trans>Use another number</Trans>}
      </Button>
      <FormActions busy={form.isSubmitting} onCancel={onCancel}>
        <Trans>Confirm</Trans>
      </FormActions>
    </form>
  );
}

function SendAgain({ contact, to }: Pick<ContactCodeProps, 'contact' | 'to'>) {
  const { seconds, sent } = contact.contact;
  const { mutate, isPending, problem } = useAction(async () => {
    const { error, refusal } = await contact.send(to);
    if (error?.is('requestExpired')) contact.back();
    return { refusal };
  });
  return (
    <>
      <Problem>{problem}</Problem>
      <Button variant="secondary" className={authStyles.again} busy={isPending} disabled={seconds > 0} onClick={mutate}>
        <SendCodeWords sent={sent !== undefined} seconds={seconds} />
      </Button>
    </>
  );
}
