import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { NewPasswordFields } from '#web/domain/account/new-password-fields.tsx';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { FormActions } from './setting-row.tsx';
import styles from './settings.module.css';
import { useChangePassword } from './use-change-password.ts';

export function ChangePassword({ account, onCancel }: { account: string; onCancel: () => void }) {
  const { t } = useLingui();
  const form = useChangePassword();
  const { ref } = form.formProps;
  useEffect(() => ref.current?.querySelector<HTMLInputElement>('[name=currentPassword]')?.focus(), [ref]);
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <KnownUsername value={account} />
      <PasswordField
        {...form.register('currentPassword')}
        label={t`Current password`}
        autoComplete="current-password"
        enterKeyHint="next"
      />
      <NewPasswordFields register={form.register} />
      <FormActions busy={form.isSubmitting} onCancel={onCancel}>
        <Trans>Change password</Trans>
      </FormActions>
    </form>
  );
}
