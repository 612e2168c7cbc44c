import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Content, SkipLink } from './content.tsx';
import { Header, ChatLink } from './header.tsx';
import styles from './plain-layout.module.css';

/** For pages with one purpose, without links that lead elsewhere by accident. */
export function PlainLayout() {
  return (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  );
}

/** The brand, the language, help, and one thing to do; also the frame of an error of the layouts. */
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
