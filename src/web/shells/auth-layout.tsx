import { Trans } from '@lingui/react/macro';
import { Outlet } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import styles from './auth-layout.module.css';
import { Content, SkipLink, OfflineNote } from './content.tsx';
import { LanguageSwitch, Logo, ChatLink } from './header.tsx';

/** Without a header: the brand, one card, and links to help. */
export function AuthLayout() {
  return (
    <div className={styles.layout}>
      <Background />
      <SkipLink />
      <div className={styles.note}>
        <OfflineNote />
      </div>
      <header className={styles.brand}>
        <Logo />
      </header>
      <Content className={styles.main}>
        <Outlet />
      </Content>
      <footer className={styles.foot}>
        <LanguageSwitch />
        <Link to="/help">
          <Trans>Help</Trans>
        </Link>
        <Link to="/privacy">
          <Trans>Privacy</Trans>
        </Link>
      </footer>
      <ChatLink />
    </div>
  );
}

/** The brand's picture for a wide screen, a phone, or both; the content on it then has its own background. */
function Background() {
  const { pcBackground, mobileBackground } = useBrand().functionConfig.imgConfig;
  const image = pcBackground ?? mobileBackground;
  if (image === undefined) return null;
  const only = pcBackground === undefined ? 'phone' : mobileBackground === undefined ? 'wide' : undefined;
  return (
    <picture className={styles.background} data-only={only}>
      {mobileBackground === undefined ? null : <source media="(max-width: 760px)" srcSet={mobileBackground} />}
      <img src={image} alt="" />
    </picture>
  );
}
