import { Trans } from '@lingui/react/macro';
import styles from '../../account-form/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '../../account-form/google-button.tsx';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { useAccountTab } from '../../account-form/use-account-tab.ts';
import { Problem } from '../../ui/problem.tsx';
import { OrDivider } from '../../ui/or-divider.tsx';
import { RegisterFields } from './register-fields.tsx';
import type { Entry } from './register-rules.ts';
import { useRegister } from './use-register.ts';

interface RegisterFormProps {
  returnTo: string | undefined;
  entry: Entry | undefined;
}

export function RegisterForm({ returnTo, entry }: RegisterFormProps) {
  const account = useAccountTab();
  const register = useRegister(account.tab, entry);
  const { form } = register;
  return (
    <>
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <RegisterFields register={register} account={account} returnTo={returnTo} />
        {register.code.captcha.view}
        <SubmitButton busy={form.busy}>
          <Trans>Create account</Trans>
        </SubmitButton>
      </form>
      <WithGoogle returnTo={returnTo} />
    </>
  );
}

function WithGoogle({ returnTo }: Pick<RegisterFormProps, 'returnTo'>) {
  const client = useGoogleClient();
  if (!client) return null;
  return (
    <div className={styles.ways}>
      <OrDivider>
        <Trans>or</Trans>
      </OrDivider>
      <GoogleButton client={client} returnTo={returnTo} />
    </div>
  );
}
