import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { LifeBuoy } from '#web/ui/icon.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import styles from './main-layout.module.css';
import { OfflineNote } from './offline-note.tsx';
import type { Elements } from '#web/ui/elements.ts';

/**
 * The same on every page: the brand, the language, help. `children` is the navigation, `who` the signed-in customer,
 * where a page leads elsewhere.
 */
export function Header({ children, who }: { children?: Elements; who?: Elements }) {
  const { t } = useLingui();
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Logo />
        {children}
        <div className={styles.tools}>
          <LanguageSwitch />
          <Link to="/help" className={styles.tool} aria-label={t`Help`}>
            <LifeBuoy aria-hidden />
          </Link>
          {who}
        </div>
      </div>
      <OfflineNote />
    </header>
  );
}
