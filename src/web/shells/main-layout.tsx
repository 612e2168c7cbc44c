import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { useBrand } from '../brand/brand-context.tsx';
import { useSession } from '../session/session.ts';
import { CircleUser, LifeBuoy, MessageCircle } from '../ui/icon.tsx';
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
  const { siteConfig } = useBrand();
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
      {siteConfig.chatLink ? <ChatLink href={siteConfig.chatLink} /> : null}
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
    <Link to="/account" className={who} activeProps={{ 'aria-current': undefined }}>
      <CircleUser aria-hidden />
      <span>{session.account}</span>
    </Link>
  );
}

function ChatLink({ href }: { href: string }) {
  const { t } = useLingui();
  return (
    <aside className={styles.chat} aria-label={t`Need Help?`}>
      <a href={href} target="_blank" rel="noopener noreferrer">
        <MessageCircle aria-hidden />
        <Trans>Need Help?</Trans>
      </a>
    </aside>
  );
}
