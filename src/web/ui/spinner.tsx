import type { ReactNode } from 'react';
import styles from './spinner.module.css';

/** The spinning ring alone, beside text that says what is in progress. */
export function Ring() {
  return (
    <svg className={styles.ring} viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden>
      <circle cx="10" cy="10" r="8" strokeOpacity=".25" />
      <path d="M18 10a8 8 0 0 0-8-8" strokeLinecap="round" />
    </svg>
  );
}

/** A spinner with a label. */
export function Spinner({ label }: { label: ReactNode }) {
  return (
    <div className={styles.spinner} role="status" data-loading>
      <Ring />
      <span>{label}</span>
    </div>
  );
}
