import { Outlet } from '@tanstack/react-router';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import { OfflineNote } from './offline-note.tsx';
import styles from './plain-layout.module.css';
import { contentId, SkipLink } from './skip-link.tsx';

/** For pages that do one thing: the brand, the language, and nothing that leads elsewhere by accident. */
export function PlainLayout() {
  return (
    <div className={styles.layout}>
      <SkipLink />
      <header>
        <div className={styles.bar}>
          <Logo />
          <LanguageSwitch />
        </div>
        <OfflineNote />
      </header>
      <main className={styles.main} id={contentId} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
