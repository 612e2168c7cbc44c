import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import styles from './state-page.module.css';

interface StatePageProps {
  art?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** Set around content of a page that has its title already, so that a page has one h1. */
export const UnderTitle = createContext(false);

/** The title of a whole page, or of a part below the page's title. */
export function PageTitle({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const Title = use(UnderTitle) ? 'h2' : 'h1';
  return <Title className={className}>{children}</Title>;
}

/** How long screen readers get to notice a new region, in milliseconds. */
const noticedAfterMs = 500;

/** Spoken when it appears, and after each change. A region that is mounted together with its text stays silent. */
export function Spoken({ children }: { children: ReactNode }) {
  const [spoken, setSpoken] = useState<ReactNode>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(children), noticedAfterMs);
    return () => clearTimeout(timer);
  }, [children]);
  return (
    <p className="sr-only" role="status">
      {spoken}
    </p>
  );
}

/** A page with one message: a picture, a sentence, an explanation, the next step. */
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
