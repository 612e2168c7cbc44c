import { Trans } from '@lingui/react/macro';
import { Link, Outlet } from '@tanstack/react-router';
import { useBrand } from '../brand/brand-context.tsx';
import styles from './auth-layout.module.css';
import { ChatLink } from './chat-link.tsx';
import { Content } from './content.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import { OfflineNote } from './offline-note.tsx';
import { SkipLink } from './skip-link.tsx';

/** No header: the brand, one card, and the way to help. */
export function AuthLayout() {
  const background = useBrand().functionConfig.imgConfig.pcBackground;
  return (
    <div className={styles.layout}>
      {background ? <img className={styles.background} src={background} alt="" loading="lazy" /> : null}
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
