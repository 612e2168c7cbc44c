import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import { CircleUser, LifeBuoy } from '../ui/icon.tsx';
import { ChatLink } from './chat-link.tsx';
import { Content } from './content.tsx';
import { Footer } from './footer.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import styles from './main-layout.module.css';
import { OfflineNote } from './offline-note.tsx';
import { Places } from './places.tsx';
import { SkipLink } from './skip-link.tsx';

/** Header, content, footer; on a phone a slim top bar and the four places under the thumb. `notice` stands above every page. */
export function MainLayout({ notice }: { notice?: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={styles.layout}>
      <SkipLink />
      <header className={styles.header}>
        <div className={styles.bar}>
          <Logo />
          <Places label={t`Main`} />
          <div className={styles.tools}>
            <LanguageSwitch />
            <Link to="/help" className={styles.tool} aria-label={t`Help`}>
              <LifeBuoy aria-hidden />
            </Link>
            <Who />
          </div>
        </div>
        <OfflineNote />
      </header>
      <Content className={styles.main}>
        <div className={styles.notice}>{notice}</div>
        <Outlet />
      </Content>
      <Footer />
      <ChatLink />
    </div>
  );
}

/** Who is signed in; "Log in" for a visitor, and for everybody until the page is alive. */
function Who() {
  const session = useSession();
  const who = `${styles.tool} ${styles.who}`;
  if (!session) {
    return (
      <Link to="/login" className={who}>
        <Trans>Log in</Trans>
      </Link>
    );
  }
  return (
    <Link to="/account" className={who} data-private activeProps={{ 'aria-current': undefined }}>
      <CircleUser aria-hidden />
      <span>{session.account}</span>
    </Link>
  );
}
