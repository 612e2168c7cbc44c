import type { ReactNode } from 'react';
import styles from './state-page.module.css';

interface StatePageProps {
  art?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page that says one thing: a picture, a sentence, what it means, the next step. */
export function StatePage({ art, title, children, action }: StatePageProps) {
  return (
    <section className={styles.page}>
      {art ? <div className={styles.art}>{art}</div> : null}
      <h1 className={styles.title}>{title}</h1>
      {children ? <div className={styles.words}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </section>
  );
}
