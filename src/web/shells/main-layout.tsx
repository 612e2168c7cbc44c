import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { accountText } from '#contract/mask.ts';
import { findPathRow } from '#contract/paths.ts';
import { useSession } from '#web/platform/session/session.ts';
import { CircleUser, House, ReceiptText, TicketPercent } from '#web/ui/icon.tsx';
import { Content, SkipLink } from './content.tsx';
import { Header, ChatLink } from './header.tsx';
import styles from './main-layout.module.css';
import { languageTable } from '#contract/fields.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { setLanguage } from '#web/platform/api/set-language.ts';

type PlaceAddress = '/' | '/pricing-table' | '/orders' | '/account';

/** The four main links: a bar under the thumb on a phone, in the header elsewhere. */
function MainNavigation({ label }: { label: string }) {
  const above = useLocation({ select: ({ pathname }) => findPathRow(pathname)?.above });
  // every content page is below home, so marking it would say nothing
  const linkProps = (to: PlaceAddress) => ({
    to,
    className: styles.place,
    activeOptions: { exact: true, includeSearch: false },
    'aria-current': to !== '/' && above === to ? ('true' as const) : undefined,
  });
  return (
    <nav className={styles.places} aria-label={label}>
      <Link {...linkProps('/')}>
        <House aria-hidden />
        <Trans>Home</Trans>
      </Link>
      <Link {...linkProps('/pricing-table')}>
        <TicketPercent aria-hidden />
        <Trans>Plans</Trans>
      </Link>
      <Link {...linkProps('/orders')}>
        <ReceiptText aria-hidden />
        <Trans>Orders</Trans>
      </Link>
      <Link {...linkProps('/account')}>
        <CircleUser aria-hidden />
        <Trans>Account</Trans>
      </Link>
    </nav>
  );
}

/**
 * Header, content and footer; on a phone a slim top bar and the main links at the bottom. `notice` is above every page.
 */
export function MainLayout({ notice }: { notice?: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={styles.layout}>
      <SkipLink />
      <Header who={<Who />}>
        <MainNavigation label={t`Main`} />
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

/** The signed-in customer, where there is room; "Log in" for a visitor, and for everyone until hydration. */
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
      <span translate="no">{accountText(session.account)}</span>
    </Link>
  );
}

function Footer() {
  const { theme } = useBrand();
  return (
    <footer className={styles.footer}>
      <div className={styles.footerRow}>
        <span translate="no">{theme.name}</span>
        <Link to="/privacy" hash="terms">
          <Trans>Terms of Use</Trans>
        </Link>
        <Link to="/privacy">
          <Trans>Privacy Policy</Trans>
        </Link>
        <Link to="/help">
          <Trans>Help</Trans>
        </Link>
        <LanguageLinks />
      </div>
    </footer>
  );
}

/** Real links, so that languages work without a script; with one, typed input is not lost. */
function LanguageLinks() {
  const { t } = useLingui();
  const { siteConfig } = useBrand();
  const active = useLanguage();
  if (siteConfig.langs.length < 2) return null;
  return (
    <nav className={styles.languages} aria-label={t`Language`}>
      {siteConfig.langs.map((code) => (
        <a
          key={code}
          href={`?language=${code}`}
          lang={code}
          hrefLang={code}
          aria-current={code === active || undefined}
          onClick={(event) => {
            event.preventDefault();
            void setLanguage(code);
          }}
        >
          {languageTable[code].name}
        </a>
      ))}
    </nav>
  );
}
