import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { accountDraft } from '../../account-form/account-draft.ts';
import { AccountFields } from '../../account-form/account-fields.tsx';
import type { AccountTab } from '../../account-form/use-account-tab.ts';
import { Agreement } from '../../identity/agreement.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { CodeRow } from './code-row.tsx';
import styles from './register.module.css';
import type { RegisterControl } from './use-register.ts';

interface RegisterFieldsProps {
  register: RegisterControl;
  account: AccountTab;
  returnTo: string | undefined;
}

/** The fields of a sign-up, in the order in which people think of them. */
export function RegisterFields({ register, account, returnTo }: RegisterFieldsProps) {
  const { t } = useLingui();
  const { form, code, withCode, exists } = register;
  return (
    <>
      <div className={styles.account}>
        <AccountFields form={form} account={account} problem={code.accountProblem} />
        {exists ? <LogInInstead register={register} returnTo={returnTo} /> : null}
      </div>
      {withCode ? <CodeRow register={register} byPhone={account.tab === 'phone'} /> : null}
      <PasswordField
        {...form.text('password')}
        label={t`Password`}
        hint={t`At least 6 characters`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <PasswordField
        {...form.text('repeated')}
        label={t`Repeat the password`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <Nickname register={register} />
      <Agreement {...form.tick('agreed')} />
    </>
  );
}

function Nickname({ register: { form } }: Pick<RegisterFieldsProps, 'register'>) {
  const { t } = useLingui();
  return (
    <Field
      {...form.text('nickname')}
      label={t`Nickname (optional)`}
      autoComplete="nickname"
      enterKeyHint="done"
      maxLength={40}
    />
  );
}

/** The account goes along as a draft, and not in the address. */
function LogInInstead({ register: { form }, returnTo }: Pick<RegisterFieldsProps, 'register' | 'returnTo'>) {
  const { account, phone, areaCode } = form.values;
  return (
    <Link
      to="/login"
      search={{ return: returnTo }}
      className={styles.instead}
      onClick={() => accountDraft.set({ account, phone, areaCode })}
    >
      <Trans>Log in with this account</Trans>
    </Link>
  );
}
