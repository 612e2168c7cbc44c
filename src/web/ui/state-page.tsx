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

/** A page that says one thing: a picture, a sentence, what it means, the next step. */
export function StatePage({ art, title, children, action }: StatePageProps) {
  const Title = use(UnderTitle) ? 'h2' : 'h1';
  return (
    <section className={styles.page}>
      {art ? <div className={styles.art}>{art}</div> : null}
      <Title className={styles.title}>{title}</Title>
      {children ? <div className={styles.words}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </section>
  );
}
