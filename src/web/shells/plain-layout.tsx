import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChatLink } from './chat-link.tsx';
import { Content, SkipLink } from './content.tsx';
import { Header } from './header.tsx';
import styles from './plain-layout.module.css';

/** For pages that do one thing, with nothing that leads elsewhere by accident. */
export function PlainLayout() {
  return (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  );
}

/** The brand, the language, help, and one thing to do; also around what is shown when no layout could be. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.layout}>
      <SkipLink />
      <Header />
      <Content className={styles.main}>{children}</Content>
      <ChatLink />
    </div>
  );
}
