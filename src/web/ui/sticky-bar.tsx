import type { ReactNode } from 'react';
import styles from './sticky-bar.module.css';

/**
 * The total and the one main action, under the thumb on a phone and in the flow elsewhere. The phone's navigation
 * steps aside while it is on the page (`data-sticky-bar`, read by the main layout).
 */
export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <div className={styles.bar} data-sticky-bar>
      {children}
    </div>
  );
}
