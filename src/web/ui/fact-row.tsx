import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './fact-row.module.css';

interface FactRowProps {
  label: ReactNode;
  /** a value that is read as one piece: it wraps below its label before it breaks */
  long?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** One line of a `<dl>`: the label at the start, its value at the end. */
export function FactRow({ label, long = false, className, children }: FactRowProps) {
  return (
    <div className={classNames(styles.row, long && styles.long, className)}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
