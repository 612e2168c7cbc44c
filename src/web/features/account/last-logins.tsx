import { Trans, useLingui } from '@lingui/react/macro';
import type { DeviceSession } from '../../../contract/account.ts';
import { shownLoginRecords } from '../../../contract/limits.ts';
import { Laptop, MonitorSmartphone, Smartphone, Tablet, Tv } from '../../ui/icon.tsx';
import styles from './account.module.css';

/** Where one has logged in lately: so that a stranger would be noticed. */
export function LastLogins({ sessions }: { sessions: readonly DeviceSession[] }) {
  return (
    <>
      <h2 className={styles.heading} id="last-logins">
        <Trans>Last logins</Trans>
      </h2>
      {sessions.length === 0 ? (
        <p className={styles.soft}>
          <Trans>Nobody has logged in yet.</Trans>
        </p>
      ) : (
        <ul className={styles.logins}>
          {sessions.slice(0, shownLoginRecords).map((session) => (
            <Login key={`${session.loginAt} ${session.ip}`} session={session} />
          ))}
        </ul>
      )}
    </>
  );
}

function Login({ session }: { session: DeviceSession }) {
  const { i18n, t } = useLingui();
  const what = [session.device || t`Unknown device`, session.model].filter(Boolean).join(' · ');
  return (
    <li className={styles.login}>
      <DeviceIcon device={session.device} />
      <span>
        <strong>{what}</strong>
        <span className={styles.soft}>
          {i18n.date(new Date(session.loginAt), { dateStyle: 'medium', timeStyle: 'short' })}
          {' · '}
          {session.ip}
        </span>
      </span>
    </li>
  );
}

function DeviceIcon({ device }: { device: string }) {
  if (/ipad|tablet/i.test(device)) return <Tablet aria-hidden />;
  if (/iphone|android(?! ?tv)|phone/i.test(device)) return <Smartphone aria-hidden />;
  if (/tv|box/i.test(device)) return <Tv aria-hidden />;
  return /windows|mac|linux|chrome ?os/i.test(device) ? <Laptop aria-hidden /> : <MonitorSmartphone aria-hidden />;
}
