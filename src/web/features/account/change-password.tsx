import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { ensureWords } from '../../i18n/catalogs.ts';
import { NewPasswordFields } from '../../identity/new-password-fields.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/field.tsx';
import styles from './account.module.css';
import { useChangePassword } from './use-change-password.ts';

/** Closed until it is wanted, so that no password manager fills it by itself. */
export function ChangePassword({ account }: { account: string }) {
  const [open, setOpen] = useState(false);
  const cancelled = useRef(false);
  const begin = async () => {
    // the fields of a new password are the ones of sign-up and recovery; lost words show in English
    await ensureWords('identity').catch((error: unknown) => console.info('The words of the form did not come.', error));
    setOpen(true);
  };
  const cancel = () => {
    cancelled.current = true;
    setOpen(false);
  };
  if (open) return <ChangeForm account={account} onCancel={cancel} />;
  return (
    <div className={styles.form}>
      <p className={styles.soft}>
        <Trans>After a change you are logged out on every device.</Trans>
      </p>
      <div>
        <Button variant="secondary" ref={(button) => backTo(button, cancelled.current)} onClick={() => void begin()}>
          <Trans>Change password</Trans>
        </Button>
      </div>
    </div>
  );
}

/** The form that had the focus is gone. */
function backTo(button: HTMLButtonElement | null, cancelled: boolean): void {
  if (cancelled) button?.focus();
}

function ChangeForm({ account, onCancel }: { account: string; onCancel: () => void }) {
  const { t } = useLingui();
  const form = useChangePassword();
  const { ref } = form.formProps;
  useEffect(() => ref.current?.querySelector<HTMLInputElement>('[name=current]')?.focus(), [ref]);
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        {...form.text('current')}
        label={t`Current password`}
        autoComplete="current-password"
        enterKeyHint="next"
      />
      <NewPasswordFields text={form.text} />
      <div className={styles.formActions}>
        <Button type="submit" busy={form.busy}>
          <Trans>Change password</Trans>
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
