import { Trans, useLingui } from '@lingui/react/macro';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import { useOwnLink } from '#web/domain/auth/use-mail-request.ts';
import { useWasEverTrue } from '#web/domain/payments/access-text.tsx';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SettingRow, useRow, FormActions } from './setting-row.tsx';
import { useSettingsKnown, type Settings } from './settings-query.ts';
import styles from './settings.module.css';
import { useEffect } from 'react';
import {
  NewPasswordFields,
  newPasswordProblems,
  commonPasswordRefusal,
} from '#web/domain/account/new-password-fields.tsx';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { msg } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { changePassword } from '#contract/account.ts';
import { accountErrorMessage } from '#web/domain/auth/account-rules.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems, localizedMessage } from '#web/platform/form/localized-message.ts';
import { expireSession } from '#web/domain/auth/log-out.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

const label = <Trans>Password</Trans>;

/** Changes the password, or sets a first one for a customer who has used other login methods only. */
export function PasswordRow({ settings: { account, email, hasPassword } }: { settings: Settings }) {
  // its message and focus stay if a later read of the settings fails
  const isShown = useWasEverTrue(useSettingsKnown());
  if (hasPassword) return <OwnPassword account={account} />;
  if (!isShown) return null;
  if (email) return <NoPassword email={email} />;
  const first = (
    <Trans>You don’t have a password yet. Add an email first, and we’ll email you a link to set one.</Trans>
  );
  return <SettingRow label={label} value={first} row={undefined} />;
}

/** The form is closed by default, so that no password manager fills it in unasked. */
function OwnPassword({ account }: { account: string }) {
  const row = useRow();
  const open = async () => {
    // the fields of a new password use messages of sign-up and recovery; if those fail to load, they are shown in
    // English
    await loadMessages('private').catch((error: unknown) => console.info('The words of the form did not come.', error));
    row.open();
  };
  return (
    <SettingRow
      label={label}
      value={<Trans>Changing it logs you out on every device and removes your passkeys.</Trans>}
      row={{ ...row, open: () => void open() }}
    >
      <ChangePassword account={account} onCancel={() => row.close()} />
    </SettingRow>
  );
}

/** A link by email sets the first password. */
function NoPassword({ email }: { email: string }) {
  const { request, mutate, isPending, problem } = useOwnLink(email);
  const ask = (
    <>
      <Problem>{problem}</Problem>
      <div>
        <Button variant="secondary" busy={isPending} onClick={mutate}>
          <Trans>Set a password</Trans>
        </Button>
      </div>
    </>
  );
  const sent = (
    <div className={styles.form}>
      <MailSent request={request}>
        <Trans>We’ve emailed a link to {email}.</Trans>
      </MailSent>
    </div>
  );
  return (
    <SettingRow
      label={label}
      value={<Trans>You don’t have a password yet. With one, you can log in on any device with your email.</Trans>}
      row={undefined}
      below={request.sent ? sent : ask}
    />
  );
}

function ChangePassword({ account, onCancel }: { account: string; onCancel: () => void }) {
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

const empty = { currentPassword: '', password: '', repeated: '' };
type Values = Readonly<typeof empty>;

const currentMissing = localizedMessage(msg`Enter your current password`);

function check(values: Values) {
  return {
    ...onlyProblems({ currentPassword: values.currentPassword === '' && currentMissing }),
    ...newPasswordProblems(values),
  };
}

/**
 * Changes the password. The server ends every session, so this one is left at once, and the login page explains why.
 */
function useChangePassword() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const change = useApiMutation(changePassword, {
    onSuccess: async ({ deviceToken }) => {
      if (deviceToken) deviceTokenKey.set(deviceToken);
      // First the session: the login page redirects a customer who is still logged in.
      expireSession(client);
      await navigate({ to: '/login', search: { reason: 'passwordChanged' }, replace: true });
    },
    errors: { invalidRequest: commonPasswordRefusal },
    message: accountErrorMessage,
  });
  return useForm<Values>({
    initial: empty,
    check,
    submit: async ({ currentPassword, password: newPassword }) =>
      (await change.send({ body: { currentPassword, newPassword } })).refusal,
  });
}
