import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { rowOf } from '#contract/paths.ts';
import { useSession } from '#web/platform/session/session.ts';
import { CircleUser, House, ReceiptText, TicketPercent } from '#web/ui/icon.tsx';
import { ChatLink } from './chat-link.tsx';
import { Content, SkipLink } from './content.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './main-layout.module.css';

type PlaceAddress = '/' | '/pricing-table' | '/orders' | '/account';

/** The four places. One list: a bar under the thumb on a phone, links in the header elsewhere. */
export function Places({ label }: { label: string }) {
  const above = useLocation({ select: ({ pathname }) => rowOf(pathname)?.above });
  // every page of words is below the home, which tells nobody where they are
  const place = (to: PlaceAddress) => ({
    to,
    className: styles.place,
    activeOptions: { exact: true, includeSearch: false },
    'aria-current': to !== '/' && above === to ? ('true' as const) : undefined,
  });
  return (
    <nav className={styles.places} aria-label={label}>
      <Link {...place('/')}>
        <House aria-hidden />
        <Trans>Home</Trans>
      </Link>
      <Link {...place('/pricing-table')}>
        <TicketPercent aria-hidden />
        <Trans>Plans</Trans>
      </Link>
      <Link {...place('/orders')}>
        <ReceiptText aria-hidden />
        <Trans>Orders</Trans>
      </Link>
      <Link {...place('/account')}>
        <CircleUser aria-hidden />
        <Trans>Account</Trans>
      </Link>
    </nav>
  );
}

/** Header, content, footer; on a phone a slim top bar and the four places under the thumb. `notice` stands above every page. */
export function MainLayout({ notice }: { notice?: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={styles.layout}>
      <SkipLink />
      <Header who={<Who />}>
        <Places label={t`Main`} />
      </Header>
      <Content className={styles.main}>
        <div className={styles.notice}>{notice}</div>
        <Outlet />
      </Content>
      <Footer />
      <ChatLink />
    </div>
  );
}

/** Who is signed in, where there is room for that; "Log in" for a visitor, and for everybody until the page is alive. */
function Who() {
  const session = useSession();
  if (!session) {
    return (
      <Link to="/login" className={`${styles.tool} ${styles.login}`}>
        <Trans>Log in</Trans>
      </Link>
    );
  }
  return (
    <Link
      to="/account"
      className={`${styles.tool} ${styles.who}`}
      data-private
      activeProps={{ 'aria-current': undefined }}
    >
      <CircleUser aria-hidden />
      <span translate="no">{session.account}</span>
    </Link>
  );
}
