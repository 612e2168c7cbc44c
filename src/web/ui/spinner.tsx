import type { ReactNode } from 'react';
import { Ring } from './ring.tsx';
import styles from './spinner.module.css';

/** Says that something is under way, with words. */
export function Spinner({ label }: { label: ReactNode }) {
  return (
    <div className={styles.spinner} role="status">
      <Ring />
      <span>{label}</span>
    </div>
  );
}
