import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, type ComponentProps } from 'react';
import { accountDraft } from '#web/domain/auth/account-rules.ts';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import type { AccountTab } from '#web/domain/auth/use-account-tab.ts';
import { Agreement } from '#web/domain/account/agreement.tsx';
import { CodeField } from '#web/domain/auth/codes/code-field.tsx';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { ChevronDown } from '#web/ui/icon.tsx';
import styles from './register.module.css';
import type { RegisterControl } from './use-register.ts';

interface StepProps {
  register: RegisterControl;
}

interface ByPhone {
  /** the account is a phone number */
  byPhone: boolean;
}

interface AccountStepProps extends StepProps {
  account: AccountTab;
  returnTo: string | undefined;
}

/** The account's address or number. */
export function AccountStep({ register, account, returnTo }: AccountStepProps) {
  const { form, code, exists } = register;
  return (
    <div className={styles.account}>
      <AccountFields form={form} account={account} problem={code.accountProblem} />
      {exists ? <LogInInstead register={register} returnTo={returnTo} /> : null}
    </div>
  );
}

/** Passes the account on as a draft, not in the URL. */
function LogInInstead({ register: { form }, returnTo }: Omit<AccountStepProps, 'account'>) {
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

/** The code that proves the ownership of the account; it is checked when its last digit is typed. */
export function CodeStep({ register, byPhone }: StepProps & ByPhone) {
  const { t } = useLingui();
  const { form, code, tryNow } = register;
  const { onChange: _, ...input } = form.register('code');
  return (
    <CodeField
      {...input}
      focusOn={code.asked}
      onChange={(digits) => form.setValue('code', digits)}
      onComplete={tryNow}
      hint={byPhone ? t`We’ve texted a code to this number.` : t`We’ve emailed a code to this address.`}
    />
  );
}

/** The password and its repetition, the folded optional fields, and the terms. */
export function PasswordStep({ register, byPhone }: StepProps & ByPhone) {
  const { t } = useLingui();
  const { form } = register;
  return (
    <>
      {byPhone ? <KnownUsername value={form.values.phone} /> : null}
      <PasswordField
        {...form.register('password')}
        label={t`Password`}
        hint={t`At least 6 characters`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <PasswordField
        {...form.register('repeated')}
        label={t`Repeat password`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <Nickname {...form.register('nickname')} />
      <Agreement {...form.register('agreed')} />
    </>
  );
}

/** Optional, so it is folded until it is opened, was typed before, or is invalid. */
export function Nickname(input: Omit<ComponentProps<typeof Field>, 'label'>) {
  const { t } = useLingui();
  const [wanted, setWanted] = useState(false);
  const open = wanted || Boolean(input.error) || input.value !== '';
  return (
    <details className={styles.more} open={open} onToggle={(event) => setWanted(event.currentTarget.open)}>
      <summary>
        <Trans>Add nickname</Trans>
        <ChevronDown aria-hidden />
      </summary>
      <Field
        {...input}
        label={t`Nickname (optional)`}
        required={false}
        autoComplete="nickname"
        enterKeyHint="done"
        maxLength={40}
      />
    </details>
  );
}
