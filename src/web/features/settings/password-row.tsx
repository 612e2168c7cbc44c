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

/** Changes the password, or sets a first one for whoever has only ever come by another way. */
export function PasswordRow({ settings: { account, email, hasPassword } }: { settings: Settings }) {
  // its confirmation and its focus stay when the settings cannot be loaded again
  const isShown = useWasEverTrue(useSettingsKnown());
  if (hasPassword) return <OwnPassword account={account} />;
  if (!isShown) return null;
  if (email) return <NoPassword email={email} />;
  const first = <Trans>You have no password yet. Add an email first: its mail brings the link for one.</Trans>;
  return <SettingRow label={label} value={first} row={undefined} />;
}

/** Its form is closed until it is wanted, so that no password manager fills it by itself. */
function OwnPassword({ account }: { account: string }) {
  const row = useRow();
  const open = async () => {
    // the fields of a new password are the ones of sign-up and recovery; lost words show in English
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

/** The link of a mail sets the first one. */
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
