import type { ReactNode } from 'react';
import styles from './sticky-bar.module.css';

/**
 * The total and the one main action: at the bottom of a phone's screen, in the flow elsewhere. The phone's navigation
 * is hidden while it is mounted (`data-sticky-bar`, read by the main layout).
 */
export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <div className={styles.bar} data-sticky-bar>
      {children}
    </div>
  );
}
