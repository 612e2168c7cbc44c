import { createContext, use, type ReactNode } from 'react';
import styles from './state-page.module.css';

interface StatePageProps {
  art?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** Around what stands on a page that has its title already: one page, one h1. */
export const UnderTitle = createContext(false);

/** The title of what is a page by itself, and elsewhere a part of one. */
export function PageTitle({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const Title = use(UnderTitle) ? 'h2' : 'h1';
  return <Title className={className}>{children}</Title>;
}

/** A page that says one thing: a picture, a sentence, what it means, the next step. */
export function StatePage({ art, title, children, action }: StatePageProps) {
  return (
    <section className={styles.page}>
      {art ? <div className={styles.art}>{art}</div> : null}
      <PageTitle className={styles.title}>{title}</PageTitle>
      {children ? <div className={styles.words}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </section>
  );
}
