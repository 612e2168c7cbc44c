import { Trans } from '@lingui/react/macro';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import { useOwnLink } from '#web/domain/auth/use-resend.ts';
import { useWasEverTrue } from '#web/domain/payments/when-known.tsx';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { ChangePassword } from './change-password.tsx';
import { SettingRow, useRow } from './setting-row.tsx';
import { useSettingsKnown, type Settings } from './settings-query.ts';
import styles from './settings.module.css';

const label = <Trans>Password</Trans>;

/** Changes the password, or sets a first one for a customer who has used other login methods only. */
export function PasswordRow({ settings: { account, email, hasPassword } }: { settings: Settings }) {
  // its message and focus stay if a later read of the settings fails
  const isShown = useWasEverTrue(useSettingsKnown());
  if (hasPassword) return <OwnPassword account={account} />;
  if (!isShown) return null;
  if (email) return <NoPassword email={email} />;
  const first = <Trans>You have no password yet. Add an email first: its mail brings the link for one.</Trans>;
  return <SettingRow label={label} value={first} row={undefined} />;
}

/** The form is closed by default, so that no password manager fills it in unasked. */
function OwnPassword({ account }: { account: string }) {
  const row = useRow();
  const open = async () => {
    // the fields of a new password use messages of sign-up and recovery; if those fail to load, they are shown in
    // English
    await ensureWords('private').catch((error: unknown) => console.info('The words of the form did not come.', error));
    row.open();
  };
  return (
    <SettingRow
      label={label}
      value={<Trans>After a change you are logged out on every device, and your passkeys are removed.</Trans>}
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
        <Trans>An email with a link is on its way to {email}.</Trans>
      </MailSent>
    </div>
  );
  return (
    <SettingRow
      label={label}
      value={<Trans>You have no password yet. With one you can log in on any device by your email.</Trans>}
      row={undefined}
      below={request.sent ? sent : ask}
    />
  );
}
