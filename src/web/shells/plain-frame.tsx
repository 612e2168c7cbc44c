import type { ReactNode } from 'react';
import { ChatLink } from './chat-link.tsx';
import { Content } from './content.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';
import { OfflineNote } from './offline-note.tsx';
import styles from './plain-layout.module.css';
import { SkipLink } from './skip-link.tsx';

/** The brand, the language, and one thing to do; also around what is shown when no layout could be. */
export function PlainFrame({ children }: { children: ReactNode }) {
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
      <Content className={styles.main}>{children}</Content>
      <ChatLink />
    </div>
  );
}
