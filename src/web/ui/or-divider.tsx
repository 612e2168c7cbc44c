import type { ReactNode } from 'react';
import styles from './or-divider.module.css';

/** A line between two alternatives, with a label in its middle. */
export function OrDivider({ children }: { children: ReactNode }) {
  return <p className={styles.divider}>{children}</p>;
}
