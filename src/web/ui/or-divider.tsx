import type { ReactNode } from 'react';
import styles from './or-divider.module.css';

/** A quiet line between two ways to the same end, with the words that say so in its middle. */
export function OrDivider({ children }: { children: ReactNode }) {
  return <p className={styles.divider}>{children}</p>;
}
