import type { ComponentProps } from 'react';
import styles from './progress-bar.module.css';

/** A native progress bar in the colours of the brand, in light and in dark. */
export function ProgressBar(props: Omit<ComponentProps<'progress'>, 'className'>) {
  return <progress {...props} className={styles.bar} />;
}
